// The language server: it is started, and what keeps it from starting is said with what to do.

import { spawn, type ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type MessageSignature } from "vscode-languageclient/node";
import { projectFolder, settings } from "./settings";

const LANGUAGE = "commonlisp";
/** How much of the end of standard error is kept, for a message. */
const KEPT = 4000;
/** The milliseconds that a server that does not start has to end. */
const PATIENCE = 3000;

/**
 * A client that shows no notices of its own while it starts, as `explain` says what to do, nor of requests that fail:
 * without an index all do, also those that Visual Studio Code makes by itself. They are in the output.
 */
class Client extends LanguageClient {
  isStarting = true;

  override error(message: string, data?: unknown, show?: boolean | "force"): void {
    super.error(message, data, this.isStarting ? false : show);
  }

  override handleFailedRequest<T>(
    type: MessageSignature,
    token: vscode.CancellationToken | undefined,
    error: unknown,
    otherwise: T,
  ): T {
    return super.handleFailedRequest(type, token, error, otherwise, false);
  }
}

export class Server implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel("oblist");
  private client: Client | undefined;
  private said = "";
  private ended: Promise<unknown> = Promise.resolve();

  /** Start the server, or show why it does not start. */
  async start(): Promise<void> {
    const { inlayHints, codeLens } = settings();
    const options: LanguageClientOptions = {
      documentSelector: [
        { language: LANGUAGE, scheme: "file" },
        { language: LANGUAGE, scheme: "untitled" },
      ],
      initializationOptions: { inlayHints, codeLens },
      outputChannel: this.output,
      initializationFailedHandler: () => false,
    };
    this.said = "";
    this.ended = Promise.resolve();
    const client = new Client("oblist", "oblist", () => this.launch(), options);
    this.client = client;
    try {
      await client.start();
      client.isStarting = false;
    } catch (error) {
      this.client = undefined;
      await this.explain(error);
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.stop().catch((error: unknown) => this.output.appendLine(String(error)));
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  show(): void {
    this.output.show();
  }

  dispose(): void {
    void this.stop();
    this.output.dispose();
  }

  private launch(): Promise<ChildProcess> {
    const { program, args } = settings();
    return new Promise((resolve, reject) => {
      const cwd = projectFolder()?.uri.fsPath;
      const server = spawn(program, ["lsp", ...args], cwd === undefined ? {} : { cwd });
      server.once("error", reject);
      server.once("spawn", () => resolve(server));
      this.ended = new Promise((end) => server.once("close", end));
      server.stderr.setEncoding("utf8").on("data", (text: string) => {
        this.said = (this.said + text).slice(-KEPT);
      });
    });
  }

  private async explain(error: unknown): Promise<void> {
    const { program } = settings();
    this.output.appendLine(String(error));
    // What it says may come after the client has found that it is gone.
    await Promise.race([this.ended, new Promise((later) => setTimeout(later, PATIENCE))]);
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const last = this.said.trim().split("\n").at(-1);
    const message = missing
      ? `There is no program ${program}. Install it with: uv tool install 'oblist[lsp]' ` +
        "(or pipx install, or pip install), or set oblist.path."
      : `${program} lsp does not start: ${last || String(error)}`;
    const [set, show] = ["Set oblist.path", "Show Output"];
    const chosen = await vscode.window.showErrorMessage(message, set, show);
    if (chosen === set) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "oblist.path");
    } else if (chosen === show) {
      this.show();
    }
  }
}
