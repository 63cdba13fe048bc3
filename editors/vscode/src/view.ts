// The expansion view: opened beside the template, with the cursor synced both ways.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

export const SCHEME = "formwork-expanded";

interface Wire { start: { line: number; character: number }; end: { line: number; character: number } }

const decoration = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.rangeHighlightForeground"),
});

/** Whether an address is that of the same document, however it is encoded. */
function isSame(a: vscode.Uri, b: vscode.Uri): boolean {
  return decodeURIComponent(a.toString()) === decodeURIComponent(b.toString());
}

/** Opens the view of a template beside it; the focus stays. */
export async function open(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const shown = vscode.window.visibleTextEditors.some((editor) => isSame(editor.document.uri, uri));
  if (!shown) {
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
  }
}

/** Follows the cursor of the template and of the view. */
export class Follower implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Whether the last move of a cursor was made here. */
  private echo: string | undefined;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.setFollowing(this.isFollowing());
    this.disposables.push(
      vscode.window.onDidChangeTextEditorSelection((event) => this.moved(event.textEditor)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("formwork.expansion.follow")) {
          this.setFollowing(this.isFollowing());
        }
      }),
    );
  }

  private isFollowing(): boolean {
    return vscode.workspace.getConfiguration("formwork").get("expansion.follow", true);
  }

  private following = true;

  /** Whether the views follow until the window is closed: the pin in their title. */
  setFollowing(follows: boolean): void {
    this.following = follows;
    void vscode.commands.executeCommand("setContext", "formwork.follows", follows);
    if (!follows) {
      this.clear();
    }
  }

  private clear(): void {
    vscode.window.visibleTextEditors.forEach((editor) => editor.setDecorations(decoration, []));
  }

  private moved(editor: vscode.TextEditor): void {
    const uri = editor.document.uri.toString();
    if (this.echo === uri) {
      this.echo = undefined;
      return;
    }
    const isShown = vscode.window.visibleTextEditors.some((other) => other.document.uri.scheme === SCHEME);
    if (!this.following || !isShown || editor !== vscode.window.activeTextEditor) {
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.follow(editor), 50);
  }

  private async follow(editor: vscode.TextEditor): Promise<void> {
    const client = this.client();
    if (!client?.isRunning()) {
      return;
    }
    const uri = editor.document.uri;
    const range = client.code2ProtocolConverter.asRange(new vscode.Range(editor.selection.active, editor.selection.active));
    const answer = await client.sendRequest<{ uri?: string; view?: string; ranges: Wire[] } | null>("formwork/map", {
      uri: client.code2ProtocolConverter.asUri(uri),
      range,
    }).catch(() => null);
    this.clear();
    if (!answer?.ranges?.length) {
      return;
    }
    const target = vscode.Uri.parse(answer.uri ?? answer.view ?? "");
    const ranges = answer.ranges.map(
      ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character));
    for (const other of vscode.window.visibleTextEditors) {
      if (other !== editor && isSame(other.document.uri, target)) {
        this.reveal(other, ranges);
      }
    }
  }

  private reveal(editor: vscode.TextEditor, ranges: vscode.Range[]): void {
    editor.setDecorations(decoration, ranges);
    const first = ranges[0];
    if (!first) {
      return;
    }
    if (!editor.selection.active.isEqual(first.start)) {
      this.echo = editor.document.uri.toString();
      editor.selection = new vscode.Selection(first.start, first.start);
    }
    editor.revealRange(first, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.forEach((one) => one.dispose());
  }
}
