// The client of `formwork lsp`. It knows nothing about templates: every answer is the server's.

import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import * as contexts from "./contexts";
import { find, offerInstall } from "./program";
import { Status } from "./status";
import * as values from "./values";
import { Follower, open, SCHEME } from "./view";

let client: LanguageClient | undefined;
let status: Status | undefined;

const EXAMPLE = `Transform: AWS::LanguageExtensions
Parameters:
  Stage: {Type: String, Default: dev, AllowedValues: [dev, prod]}
Conditions:
  IsProduction: !Equals [!Ref Stage, prod]
Resources:
  Fn::ForEach::Queues:
    - Name
    - [Orders, Emails]
    - \${Name}Queue:
        Type: AWS::SQS::Queue
        Properties:
          QueueName: !Sub "\${Stage}-\${Name}"
  Alarms:
    Type: AWS::SNS::Topic
    Condition: IsProduction
`;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const running = () => client;
  const follower = new Follower(running);
  status = new Status(running);
  const register = (name: string, run: (...words: never[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(`formwork.${name}`, run));
  register("showResolved", () => show(undefined, "resolve"));
  register("showDeployed", () => show(undefined, "deploy"));
  register("fixAll", () =>
    vscode.commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.formwork", apply: "first" }));
  register("restart", () => restart(context));
  register("showLog", () => client?.outputChannel.show());
  register("pinView", () => follower.setFollowing(false));
  register("unpinView", () => follower.setFollowing(true));
  register("openExample", async () =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "yaml", content: EXAMPLE })));
  context.subscriptions.push(
    follower,
    status,
    vscode.workspace.onDidGrantWorkspaceTrust(() => void client?.sendNotification("formwork/trust", { trusted: true })),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("formwork.path")) {
        void restart(context);
      }
    }),
  );
  await start(context);
}

export async function deactivate(): Promise<void> {
  await stop();
}

async function restart(context: vscode.ExtensionContext): Promise<void> {
  await stop();
  await start(context);
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  await vscode.commands.executeCommand("setContext", "formwork.isRunning", false);
  await old?.dispose().catch(() => undefined);
}

async function start(context: vscode.ExtensionContext): Promise<void> {
  const program = find(context.extensionPath);
  if (!program) {
    const setting = vscode.workspace.getConfiguration("formwork").get<string | null>("path");
    void offerInstall(setting ? `formwork.path: ${setting} is not a program.` : "The program formwork is not on the PATH.");
    return;
  }
  const server: ServerOptions = { command: program.path, args: ["lsp"] };
  const languages = ["yaml", "json", "cloudformation", "cloudformation-json"];
  const schemes = ["file", "untitled", SCHEME];
  const crashes: number[] = [];
  const options: LanguageClientOptions = {
    documentSelector: [
      ...schemes.flatMap((scheme) => languages.map((language) => ({ scheme, language }))),
      { scheme: "file", pattern: "**/*.template" },
      { scheme: "file", language: "toml", pattern: "**/{formwork,samconfig}.toml" },
    ],
    diagnosticCollectionName: "formwork",
    outputChannelName: "Formwork",
    initializationOptions: { trusted: vscode.workspace.isTrusted },
    synchronize: { configurationSection: "formwork" },
    middleware: {
      executeCommand: async (command, words, next) => {
        if (command === "formwork.showExpansion") {
          return show(words);
        }
        if (command === "formwork.selectValues") {
          const uri = typeof words[0] === "string" ? vscode.Uri.parse(words[0]) : vscode.window.activeTextEditor?.document.uri;
          return uri && client ? values.select(client, uri).then(() => status?.update()) : undefined;
        }
        if (command === "formwork.selectContext") {
          const uri = typeof words[0] === "string" ? vscode.Uri.parse(words[0]) : vscode.window.activeTextEditor?.document.uri;
          return uri && client ? contexts.select(client, uri, (address) => show([address])) : undefined;
        }
        return next(command, words);
      },
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => {
        // Five times in three minutes, then a message with the log.
        const now = Date.now();
        crashes.push(now);
        while (crashes.length > 0 && now - (crashes[0] ?? now) > 180_000) {
          crashes.shift();
        }
        if (crashes.length <= 5) {
          return { action: CloseAction.Restart };
        }
        void vscode.window.showErrorMessage("The Formwork server ended five times in three minutes.", "Show Log").then((choice) => {
          if (choice) {
            void vscode.commands.executeCommand("formwork.showLog");
          }
        });
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
  client = new LanguageClient("formwork", "Formwork", server, options);
  try {
    await client.start();
    await vscode.commands.executeCommand("setContext", "formwork.isRunning", true);
    await status?.update();
  } catch (error) {
    void offerInstall(`${program.path} does not serve editors; version 0.1 or newer is needed. (${String(error)})`);
  }
}

/** Opens the expansion of the active template, or of the one that a lens names; returns its address. */
async function show(words?: unknown[], stage?: string): Promise<{ uri: string } | undefined> {
  const found = client;
  const active = vscode.window.activeTextEditor?.document.uri;
  const named = typeof words?.[0] === "string" ? words[0] : active && found?.code2ProtocolConverter.asUri(active);
  if (!found || !named) {
    return undefined;
  }
  const chosen = stage ?? (typeof words?.[2] === "string" ? words[2] : undefined);
  // The address without the server opening it by itself: it is shown beside, and the focus stays.
  const answer = await found.sendRequest<{ view: string } | null>("formwork/map", {
    uri: named,
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    ...(chosen ? { stage: chosen } : {}),
  });
  if (!answer?.view) {
    return undefined;
  }
  await open(found.protocol2CodeConverter.asUri(answer.view));
  return { uri: answer.view };
}
