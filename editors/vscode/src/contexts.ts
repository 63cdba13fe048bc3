// The templates that use a module: the view of a module is that of one of them.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { open } from "./view";

interface Context { root: string; instance: string; properties: string[] }

/** Asks which use of a module is meant, and opens the expansion of its template. */
export async function select(client: LanguageClient, uri: vscode.Uri): Promise<void> {
  const contexts = await client.sendRequest<Context[]>("formwork/contexts", { uri: client.code2ProtocolConverter.asUri(uri) });
  if (contexts.length === 0) {
    void vscode.window.showInformationMessage("No template of the workspace imports this file.");
    return;
  }
  const items = contexts.map((one) => ({ label: one.instance, description: vscode.workspace.asRelativePath(vscode.Uri.parse(one.root)), detail: one.properties.join(", "), one }));
  const choice = await vscode.window.showQuickPick(items, { title: "Formwork: Context of Module" });
  if (choice) {
    const answer = await client.sendRequest<{ uri: string }>("workspace/executeCommand", { command: "formwork.showExpansion", arguments: [choice.one.root] });
    await open(client.protocol2CodeConverter.asUri(answer.uri));
  }
}
