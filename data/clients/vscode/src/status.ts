// The item in the status bar: when the index was built, and how many problems the server has found.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { projectFolder, settings } from "./settings";

/** What `oblist info --json` says that is shown here. */
interface IndexInfo {
  path: string;
  built: string;
  implementation: string;
  symbols: number;
  broken: string | null;
  not_loaded: string[];
}

const MILLISECONDS = 15_000;
/** An index of a project, as `oblist index --project` writes it. */
const INDEXES = "**/.oblist/oblist.db";

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("oblist.status", vscode.StatusBarAlignment.Left);
  private readonly parts: vscode.Disposable[] = [this.item];
  private info: IndexInfo | string = "";
  private asked = 0;
  private folder: string | undefined;

  constructor() {
    this.item.name = "oblist";
    this.item.command = "oblist.build";
    const indexes = vscode.workspace.createFileSystemWatcher(INDEXES);
    const ask = () => void this.ask();
    this.parts.push(
      indexes,
      indexes.onDidChange(ask),
      indexes.onDidCreate(ask),
      indexes.onDidDelete(ask),
      vscode.languages.onDidChangeDiagnostics(() => this.show()),
      vscode.window.onDidChangeActiveTextEditor(() => {
        if (projectFolder()?.uri.fsPath !== this.folder) {
          ask();
        }
      }),
    );
  }

  /** Ask for the state of the index, and show it. */
  async ask(): Promise<void> {
    const mine = ++this.asked;
    this.folder = projectFolder()?.uri.fsPath;
    const info = await indexInfo(this.folder);
    if (mine === this.asked) {
      this.info = info;
      this.show();
    }
  }

  dispose(): void {
    for (const part of this.parts) {
      part.dispose();
    }
  }

  private show(): void {
    const info = this.info;
    if (typeof info === "string") {
      this.item.text = "$(database) no index";
      this.item.tooltip = `${info}\n\nBuild the index of the project`;
    } else {
      const count = problems();
      this.item.text = `$(database) index of ${time(info.built)}, ${count} ${count === 1 ? "problem" : "problems"}`;
      this.item.tooltip = [
        `${info.path}: ${info.symbols} symbols, ${info.implementation}`,
        ...(info.broken === null ? [] : [info.broken]),
        ...info.not_loaded.map((system) => `not loaded: ${system}`),
        "",
        "Build the index of the project again",
      ].join("\n");
    }
    this.item.show();
  }
}

/** The problems that the server has reported, in all files. */
function problems(): number {
  const all = vscode.languages.getDiagnostics().flatMap(([, found]) => found);
  return all.filter((one) => one.source === "oblist").length;
}

/** The time of day if that is today, else the date. */
function time(built: string): string {
  const at = new Date(built);
  return at.toDateString() === new Date().toDateString()
    ? at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
    : at.toLocaleDateString();
}

/** What the index of a folder is, or the sentence that says why there is none. */
function indexInfo(folder: string | undefined): Promise<IndexInfo | string> {
  const { program, args } = settings();
  const at = args.indexOf("--index");
  const named = at < 0 ? [] : args.slice(at, at + 2);
  const options = { timeout: MILLISECONDS, ...(folder === undefined ? {} : { cwd: folder }) };
  return new Promise((resolve) => {
    execFile(program, ["info", "--json", ...named], options, (error, output, errors) => {
      try {
        resolve(JSON.parse(output) as IndexInfo);
      } catch {
        resolve(errors.trim() || error?.message || "oblist info says nothing");
      }
    });
  });
}
