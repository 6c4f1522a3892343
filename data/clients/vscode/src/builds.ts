// Builds of the index. They run the project's code, so they are asked for twice.

import * as vscode from "vscode";
import { projectFolder, settings } from "./settings";

const BUILDS: Record<"index" | "watch", { does: string; args: string[] }> = {
  index: { does: "Building the index", args: ["index", "--project", "."] },
  watch: { does: "Keeping the index up to date", args: ["watch", "."] },
};

/** Run a build in a terminal, if the user agrees. */
export async function build(kind: keyof typeof BUILDS): Promise<void> {
  const folder = projectFolder();
  if (folder === undefined) {
    void vscode.window.showErrorMessage("Open the folder of a project first: its index is built in it.");
    return;
  }
  const { does, args } = BUILDS[kind];
  const question = `${does} of ${folder.name} runs the project's code: it loads its systems into SBCL.`;
  const run = "Run It";
  if ((await vscode.window.showWarningMessage(question, { modal: true }, run)) !== run) {
    return;
  }
  const execution = new vscode.ProcessExecution(settings().program, args, { cwd: folder.uri.fsPath });
  const task = new vscode.Task({ type: "oblist", build: kind }, folder, kind, "oblist", execution);
  task.isBackground = kind === "watch";
  await vscode.tasks.executeTask(task);
}
