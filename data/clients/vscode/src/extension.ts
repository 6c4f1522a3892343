// Where Visual Studio Code starts and ends the extension.

import * as vscode from "vscode";
import { build } from "./builds";
import { Server } from "./server";
import { Status } from "./status";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server = new Server();
  const status = new Status();
  const restart = async () => {
    await server.restart();
    await status.ask();
  };
  context.subscriptions.push(
    server,
    status,
    vscode.commands.registerCommand("oblist.build", () => build("index")),
    vscode.commands.registerCommand("oblist.watch", () => build("watch")),
    vscode.commands.registerCommand("oblist.restart", restart),
    vscode.commands.registerCommand("oblist.showOutput", () => server.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("oblist")) {
        void restart();
      }
    }),
    vscode.tasks.onDidEndTaskProcess((event) => {
      if (event.execution.task.definition.type === "oblist") {
        void status.ask();
      }
    }),
  );
  await Promise.all([server.start(), status.ask()]);
}
