// What the user has set.

import * as vscode from "vscode";

export interface Settings {
  /** The command, a name or a path. */
  program: string;
  /** More arguments of the language server. */
  args: string[];
  inlayHints: boolean;
  codeLens: boolean;
}

export function settings(): Settings {
  const found = vscode.workspace.getConfiguration("oblist");
  return {
    program: found.get<string>("path", "").trim() || "oblist",
    args: found.get<string[]>("args", []),
    inlayHints: found.get<boolean>("inlayHints", false),
    codeLens: found.get<boolean>("codeLens", false),
  };
}

/** The folder that is meant: that of the file that is edited, else the first one of the workspace. */
export function projectFolder(): vscode.WorkspaceFolder | undefined {
  const edited = vscode.window.activeTextEditor?.document.uri;
  const around = edited && vscode.workspace.getWorkspaceFolder(edited);
  return around ?? vscode.workspace.workspaceFolders?.[0];
}
