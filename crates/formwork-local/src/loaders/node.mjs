// Runs a Node handler behind the Runtime API of Lambda where aws-lambda-ric is not installed, with the same results,
// errors and log lines as aws-lambda-ric 3.3.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Writable } from 'node:stream';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import util from 'node:util';

const API = '/2018-06-01/runtime';
const HANDLER_STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');
const STREAM_RESPONSE = 'response';
const HEAD_END = Buffer.from('\r\n\r\n');
const require = createRequire(import.meta.url);
let current;

// What handlers are called on, as their stack traces tell.
class Runtime {}

class RuntimeError extends Error {}

// Errors take the name of their class when they are made: it begins their stack.
function runtimeError(name, cause, more = {}) {
  class Named extends RuntimeError {}
  Named.prototype.name = `Runtime.${name}`;
  return Object.assign(new Named(cause), more);
}

// The Runtime API over one connection. The HTTP client of Node takes several times as long for a call.
class Client {
  constructor(address) {
    this.address = address;
    this.received = [];
    this.length = 0;
    this.wanted = 0;
    this.waiting = undefined;
    this.connect();
  }

  connect() {
    const [host, port] = this.address.split(':');
    const socket = net.connect({ host, port: Number(port), noDelay: true });
    socket.on('data', (part) => this.take(part));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the Runtime API closed the connection')));
    // Only a call that is waited for keeps the event loop alive.
    socket.unref();
    this.socket = socket;
  }

  fail(error) {
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.reject(error);
  }

  take(part) {
    this.received.push(part);
    this.length += part.length;
    if (this.length < this.wanted) return;
    const all = this.received.length === 1 ? part : Buffer.concat(this.received);
    this.received = [all];
    const end = all.indexOf(HEAD_END);
    if (end < 0) return;
    const [first, ...lines] = all.toString('latin1', 0, end).split('\r\n');
    const headers = {};
    for (const line of lines) {
      const at = line.indexOf(':');
      headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim();
    }
    const size = end + HEAD_END.length + Number(headers['content-length'] ?? 0);
    if (all.length < size) {
      this.wanted = size;
      return;
    }
    const body = all.subarray(end + HEAD_END.length, size);
    this.received = [];
    this.length = this.wanted = 0;
    const waiting = this.waiting;
    this.waiting = undefined;
    this.socket.unref();
    waiting?.resolve({ status: Number(first.split(' ')[1]), headers, body });
  }

  call(method, target, body, headers = {}) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const head = `${method} ${API}${target} HTTP/1.1\r\nHost: ${this.address}\r\n${lines}${length}\r\n`;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.ref();
      if (typeof body === 'string') {
        this.socket.write(head + body);
      } else {
        this.socket.write(body === undefined ? head : Buffer.concat([Buffer.from(head), body]));
      }
    });
  }

  post(target, error) {
    const known = described(error);
    // A header cannot hold every name.
    const kind = String(known.errorType).replace(/[^\x20-\x7e]/g, '?');
    const headers = { 'Content-Type': 'application/json', 'Lambda-Runtime-Function-Error-Type': kind };
    return this.call('POST', target, JSON.stringify(known), headers);
  }
}

const client = new Client(process.env.AWS_LAMBDA_RUNTIME_API);

function isError(value) {
  const isText = (name) => value?.[name] && typeof value[name] === 'string';
  return util.types.isNativeError(value) || (isText('name') && isText('message') && isText('stack'));
}

function described(error) {
  try {
    if (isError(error)) {
      const escaped = (text) => text?.replace(/\x7F/g, '%7F');
      const trace = escaped(error.stack).split('\n');
      return { errorType: escaped(error.name), errorMessage: escaped(error.message), trace };
    }
    return { errorType: typeof error, errorMessage: error.toString(), trace: [] };
  } catch {
    const errorMessage =
      'callback called with Error argument, but there was a problem while retrieving one or more of its message, name, and stack';
    return { errorType: 'handled', errorMessage };
  }
}

function logLine(level, ...parts) {
  const line = `${new Date().toISOString()}\t${current}\t${level}\t${util.format(...parts)}`;
  process.stdout.write(`${line.replace(/\n/g, '\r')}\n`);
}

function logged(error) {
  const enumerable = (_, value) => {
    if (!(value instanceof Error)) return value;
    const shown = { errorType: value.name, errorMessage: value.message, code: value.code, ...value };
    if (typeof value.stack === 'string') shown.stack = value.stack.split('\n');
    return shown;
  };
  try {
    return `\t${JSON.stringify(error, enumerable)}`;
  } catch {
    return `\t${JSON.stringify(described(error))}`;
  }
}

function logError(what, error) {
  console.error(what, logged(error instanceof Error ? error : new Error(error)));
}

// What Node keeps when a pipe is full would be lost with the process, or come after the answer: writing waits.
function unbuffer() {
  for (const stream of [process.stdout, process.stderr]) stream._handle?.setBlocking?.(true);
}

// Waits for what is still kept, where the handle of a stream has no such setting.
async function written() {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
  }
}

function patchConsole() {
  const levels = { trace: 'TRACE', debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR', fatal: 'FATAL' };
  for (const [name, level] of Object.entries(levels)) console[name] = (...parts) => logLine(level, ...parts);
  console.log = console.info;
}

// Response streams: what is written is collected and sent when the handler is over.
class ResponseStream extends Writable {
  constructor() {
    super();
    this.parts = [];
    this.contentType = 'application/octet-stream';
    this.isWritten = false;
  }

  setContentType(type) {
    if (this.isWritten) throw runtimeError('InvalidStreamingOperation', 'Cannot set content-type, too late.');
    this.contentType = type;
  }

  write(part, ...more) {
    if (!this.isWritten) {
      this.isWritten = true;
      this._onBeforeFirstWrite?.((first) => this.parts.push(Buffer.from(first)));
    }
    const isPlain = typeof part === 'string' || Buffer.isBuffer(part) || part?.constructor === Uint8Array;
    return super.write(isPlain ? part : JSON.stringify(part), ...more);
  }

  _write(part, _encoding, done) {
    this.parts.push(Buffer.from(part));
    done();
  }
}

globalThis.awslambda = {
  streamifyResponse(handler) {
    handler[HANDLER_STREAMING] = STREAM_RESPONSE;
    return handler;
  },
  HttpResponseStream: {
    from(stream, metadata) {
      stream.setContentType('application/vnd.awslambda.http-integration-response');
      const prelude = JSON.stringify(metadata);
      stream._onBeforeFirstWrite = (write) => {
        write(prelude);
        write(Buffer.alloc(8));
      };
      return stream;
    },
  },
};

function isEsmPackage(file) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (path.basename(folder) === 'node_modules') return false;
    const manifest = path.join(folder, 'package.json');
    if (fs.existsSync(manifest)) {
      try {
        return JSON.parse(fs.readFileSync(manifest, 'utf8'))?.type === 'module';
      } catch (error) {
        console.warn(`${manifest} cannot be read, it will be ignored for ES module detection purposes.`, error);
        return false;
      }
    }
    if (folder === path.dirname(folder)) return false;
  }
}

async function load(root, folder, name) {
  const base = path.resolve(root, folder, name);
  const required = (file) => (fs.existsSync(file) ? require(file) : undefined);
  const imported = async (file) => (fs.existsSync(file) ? import(pathToFileURL(file).href) : undefined);
  const plain = required(base);
  if (plain) return plain;
  const isEsm = fs.existsSync(`${base}.js`) && isEsmPackage(`${base}.js`);
  const script = isEsm ? await imported(`${base}.js`) : required(`${base}.js`);
  if (script) return script;
  const module = (await imported(`${base}.mjs`)) || required(`${base}.cjs`);
  return module || require(require.resolve(name, { paths: [root, folder] }));
}

async function find(handler) {
  if (handler.includes('..')) {
    throw runtimeError(
      'MalformedHandlerName',
      `'${handler}' is not a valid handler name. Use absolute paths when specifying root directories in handler names.`,
    );
  }
  const file = path.basename(handler);
  const parts = /^([^.]*)\.(.*)$/.exec(file);
  if (!parts) throw runtimeError('MalformedHandlerName', 'Bad handler');
  let module;
  try {
    module = await load(process.cwd(), handler.slice(0, handler.indexOf(file)), parts[1]);
  } catch (error) {
    if (error instanceof SyntaxError) throw runtimeError('UserCodeSyntaxError', error);
    throw error?.code === 'MODULE_NOT_FOUND' ? runtimeError('ImportModuleError', error) : error;
  }
  const found = parts[2].split('.').reduce((value, name) => value && value[name], module);
  if (!found) throw runtimeError('HandlerNotFound', `${handler} is undefined or not exported`);
  if (typeof found !== 'function') throw runtimeError('HandlerNotFound', `${handler} is not a function`);
  const streaming = found[HANDLER_STREAMING];
  if (streaming && streaming !== STREAM_RESPONSE) {
    throw runtimeError('MalformedStreamingHandler', 'Only response streaming is supported.');
  }
  return found;
}

function parsed(text, name) {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw new Error(`Cannot parse ${name} as json: ${error.toString()}`);
  }
}

// Adds what the environment and the headers of an event tell to the context.
function withData(context, headers) {
  const trace = headers['lambda-runtime-trace-id'];
  if (trace) process.env._X_AMZN_TRACE_ID = trace;
  else delete process.env._X_AMZN_TRACE_ID;
  return Object.assign(context, {
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    clientContext: parsed(headers['lambda-runtime-client-context'], 'ClientContext'),
    identity: parsed(headers['lambda-runtime-cognito-identity'], 'CognitoIdentity'),
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    tenantId: headers['lambda-runtime-aws-tenant-id'],
    getRemainingTimeInMillis: () => headers['lambda-runtime-deadline-ms'] - Date.now(),
  });
}

function whenIdle(finish) {
  process.removeAllListeners('beforeExit');
  if (finish) process.once('beforeExit', finish);
}

// Logs an error of the handler, at once: the frames of who called back are in the log then.
function failed(error) {
  logError('Invoke Error', error);
  return { error };
}

// What the handler answers, by a promise, by a callback, or by nothing left to do. The first of them counts.
function run(runtime, next) {
  return new Promise((resolve) => {
    let isOver = false;
    let waits = true;
    const once = (call) => (...values) => {
      if (isOver) return;
      whenIdle(undefined);
      call(...values);
      isOver = true;
    };
    const isNone = (error) => error === undefined || error === null;
    const answered = (value) => resolve({ body: serialized(value) });
    const reject = (error) => resolve(failed(error));
    const done = (error, value) => (isNone(error) ? answered(value) : reject(error));
    const callback = once((error, value) => {
      if (!isNone(error)) reject(error);
      else if (waits) whenIdle(() => setImmediate(() => attempt(answered, value)));
      else answered(value);
    });
    const attempt = (call, value) => {
      try {
        call(value);
      } catch (error) {
        reject(error);
      }
    };
    const context = {
      get callbackWaitsForEmptyEventLoop() {
        return waits;
      },
      set callbackWaitsForEmptyEventLoop(value) {
        waits = value;
      },
      succeed: once((value) => done(null, value)),
      fail: once((error) => done(isNone(error) ? 'handled' : error)),
      done: once(done),
    };
    const { succeed, fail } = context;
    whenIdle(() => {
      isOver = true;
      resolve({ body: 'null' });
    });
    try {
      const event = JSON.parse(next.body.toString('utf8'));
      const result = runtime.handler(event, withData(context, next.headers), callback);
      if (typeof result?.then === 'function') result.then(succeed, fail).catch(fail);
    } catch (error) {
      callback(error);
    }
  });
}

async function runStreaming(runtime, next) {
  const stream = new ResponseStream();
  let result;
  try {
    const context = withData({ callbackWaitsForEmptyEventLoop: true }, next.headers);
    const promise = runtime.handler(JSON.parse(next.body.toString('utf8')), stream, context);
    if (typeof promise?.then !== 'function') throw 'Streaming does not support non-async handlers.';
    if ((await promise) !== undefined) console.warn('Streaming handlers ignore return values.');
    if (!stream.writableFinished) await new Promise((resolve) => stream.once('finish', resolve));
  } catch (error) {
    result = failed(error);
  }
  // An error after the end of the stream is too late for the caller.
  if (result && !stream.writableEnded) return result;
  const headers = { 'Content-Type': stream.contentType, 'Lambda-Runtime-Function-Response-Mode': 'streaming' };
  return { body: Buffer.concat(stream.parts), headers };
}

function serialized(value) {
  try {
    return JSON.stringify(value === undefined ? null : value) ?? 'null';
  } catch {
    throw new Error('Unable to stringify response body');
  }
}

async function answer(runtime, next) {
  current = next.headers['lambda-runtime-aws-request-id'];
  const response = `/invocation/${current}/response`;
  const result = await (runtime.handler[HANDLER_STREAMING] ? runStreaming : run)(runtime, next);
  whenIdle(undefined);
  await written();
  if ('error' in result) {
    await client.post(`/invocation/${current}/error`, result.error);
  } else {
    await client.call('POST', response, result.body, result.headers ?? { 'Content-Type': 'application/json' });
  }
}

// Ends the process after an error that nothing caught. Another call may be under way on the first connection.
async function fatal(what, error, status) {
  logError(what, error);
  try {
    const last = new Client(process.env.AWS_LAMBDA_RUNTIME_API);
    await last.post(current ? `/invocation/${current}/error` : '/init/error', error);
  } finally {
    process.exit(status);
  }
}

async function main() {
  unbuffer();
  patchConsole();
  process.on('uncaughtException', (error) => fatal('Uncaught Exception', error, 129));
  process.on('unhandledRejection', (reason, promise) => {
    const error = runtimeError('UnhandledPromiseRejection', reason, { reason, promise });
    fatal('Unhandled Promise Rejection', error, 128);
  });
  const runtime = new Runtime();
  try {
    runtime.handler = await find(process.argv[2]);
  } catch (error) {
    await fatal('Uncaught Exception', error, 129);
  }
  for (;;) {
    const next = await client.call('GET', '/invocation/next');
    if (next.status !== 200) process.exit(1);
    await answer(runtime, next);
  }
}

main();
