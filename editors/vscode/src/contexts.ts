// The templates that use a module: the view of a module is that of one of them.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

interface Context { root: string; instance: string; properties: string[] }

/** Asks which use of a module is meant, tells the server, and shows the expansion of its template. */
export async function select(client: LanguageClient, uri: vscode.Uri, show: (address: string) => Promise<unknown>): Promise<void> {
  const address = client.code2ProtocolConverter.asUri(uri);
  const contexts = await client.sendRequest<Context[]>("formwork/contexts", { uri: address });
  if (contexts.length === 0) {
    void vscode.window.showInformationMessage("No template of the workspace imports this file.");
    return;
  }
  const items = contexts.map((one) => ({ label: one.instance, description: vscode.workspace.asRelativePath(vscode.Uri.parse(one.root)), detail: one.properties.join(", "), one }));
  const choice = await vscode.window.showQuickPick(items, { title: "Formwork: Context of Module" });
  if (choice) {
    await client.sendRequest("workspace/executeCommand", {
      command: "formwork.selectContext",
      arguments: [address, choice.one.root, choice.one.instance],
    });
    await show(address);
  }
}
