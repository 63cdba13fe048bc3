// Which program is the server: no download, ever.

import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

export const INSTALL_PAGE = "https://github.com/formwork-cfn/formwork#install";

/** The program that is started, and where it was found. */
export interface Program {
  path: string;
  from: "setting" | "extension" | "PATH";
}

/** The program of the setting, else the one inside a platform package, else the one on the PATH. */
export function find(extensionPath: string): Program | undefined {
  const name = process.platform === "win32" ? "formwork.exe" : "formwork";
  const setting = vscode.workspace.getConfiguration("formwork").get<string | null>("path");
  if (setting) {
    return isProgram(setting) ? { path: setting, from: "setting" } : undefined;
  }
  const own = path.join(extensionPath, "bin", name);
  if (isProgram(own)) {
    return { path: own, from: "extension" };
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = folders.map((folder) => path.join(folder, name)).find(isProgram);
  return found ? { path: found, from: "PATH" } : undefined;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** One message with the page about installing. */
export async function offerInstall(why: string): Promise<void> {
  const open = "Install Page";
  if ((await vscode.window.showErrorMessage(why, open)) === open) {
    await vscode.env.openExternal(vscode.Uri.parse(INSTALL_PAGE));
  }
}
