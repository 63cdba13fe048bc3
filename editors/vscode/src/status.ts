// The language status item, and the context keys of the active document.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { SCHEME } from "./view";

const LANGUAGES = ["yaml", "json", "cloudformation", "cloudformation-json", "plaintext"];

export class Status implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;
  private readonly disposables: vscode.Disposable[] = [];

  constructor(private readonly client: () => LanguageClient | undefined) {
    const selector = LANGUAGES.map((language) => ({ language, scheme: "file" }));
    this.item = vscode.languages.createLanguageStatusItem("formwork.status", selector);
    this.item.name = "Formwork";
    this.item.text = "Formwork";
    const update = () => void this.update();
    this.disposables.push(this.item, vscode.window.onDidChangeActiveTextEditor(update), vscode.languages.onDidChangeDiagnostics(update));
  }

  /** Shows values, resources and errors of the active template. */
  async update(): Promise<void> {
    const client = this.client();
    const editor = vscode.window.activeTextEditor;
    if (!client?.isRunning() || !editor || editor.document.uri.scheme === SCHEME) {
      return;
    }
    const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
    const kind = await client.sendRequest<string | null>("formwork/kind", { uri }).catch(() => null);
    const isTemplate = kind === "template" || kind === "module";
    await vscode.commands.executeCommand("setContext", "formwork.isTemplate", isTemplate);
    if (!isTemplate) {
      this.item.text = "Formwork";
      this.item.detail = "not a template";
      this.item.command = undefined;
      return;
    }
    const values = await client.sendRequest<{ current?: string }>("formwork/values", { uri }).catch(() => undefined);
    const found = vscode.languages.getDiagnostics(editor.document.uri).filter((one) => one.source === "formwork");
    const errors = found.filter((one) => one.severity === vscode.DiagnosticSeverity.Error).length;
    this.item.text = `Formwork: ${values?.current ?? "default"}`;
    this.item.detail = errors === 0 ? "no errors" : errors === 1 ? "1 error" : `${errors} errors`;
    this.item.severity = errors > 0 ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.item.command = { command: "formwork.selectValues", title: "Select Values", arguments: [editor.document.uri.toString()] };
  }

  dispose(): void {
    this.disposables.forEach((one) => one.dispose());
  }
}
