// What-if values: sets, and single parameters.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

interface Parameter { name: string; type: string; default?: string; allowedValues?: string[]; value?: string; noEcho?: boolean }
interface Values { current?: string; sets: { id: string; label: string; kind: string }[]; parameters: Parameter[] }
type Choice = vscode.QuickPickItem & { set?: string; parameter?: Parameter };

/** Asks for a set of values or the value of a parameter, and passes it to the server, in memory only. */
export async function select(client: LanguageClient, uri: vscode.Uri): Promise<void> {
  const address = client.code2ProtocolConverter.asUri(uri);
  const values = await client.sendRequest<Values>("formwork/values", { uri: address });
  const sets: Choice[] = values.sets.map((one) => ({ label: one.label, description: one.kind, picked: one.id === values.current, set: one.id }));
  const parameters: Choice[] = values.parameters.map((one) => ({
    label: one.name,
    description: one.noEcho ? "****" : one.value ?? one.default ?? "no value",
    detail: one.type,
    parameter: one,
  }));
  const separator = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items = [separator("Sets"), ...sets, separator("Parameters"), ...parameters];
  const choice = await vscode.window.showQuickPick(items, { title: "Formwork: Values", placeHolder: "A set of values, or a parameter to set" });
  if (choice?.set !== undefined) {
    await client.sendRequest("formwork/setValues", { uri: address, id: choice.set });
  } else if (choice?.parameter) {
    const value = await ask(choice.parameter);
    if (value !== undefined) {
      await client.sendRequest("formwork/setValues", { uri: address, parameters: { [choice.parameter.name]: value } });
    }
  }
}

async function ask(parameter: Parameter): Promise<string | undefined> {
  const other = "Other value...";
  if (parameter.allowedValues?.length) {
    const picked = await vscode.window.showQuickPick([...parameter.allowedValues, other], { title: parameter.name });
    if (picked !== other) {
      return picked;
    }
  }
  return vscode.window.showInputBox({ title: parameter.name, prompt: parameter.type, password: parameter.noEcho === true, value: parameter.noEcho ? "" : parameter.value ?? parameter.default ?? "" });
}
