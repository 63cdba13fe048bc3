// Runs a Node handler behind the Runtime API of Lambda where aws-lambda-ric is not installed.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Writable } from 'node:stream';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import util from 'node:util';

const API = '/2018-06-01/runtime';
const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const STREAMED = Symbol('streamed');
let current = '';

class RuntimeError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = `Runtime.${kind}`;
  }
}

function call(method, target, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = { host, port, method, path: API + target, agent, headers: { ...headers, ...length } };
    const request = http.request(options, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

function described(error) {
  if (util.types.isNativeError(error) || error instanceof Error) {
    return { errorType: error.name, errorMessage: error.message, trace: (error.stack || '').split('\n') };
  }
  return { errorType: typeof error, errorMessage: String(error), trace: [] };
}

function logLine(level, message) {
  const text = message.replace(/\n/g, '\r');
  process.stdout.write(`${new Date().toISOString()}\t${current || 'undefined'}\t${level}\t${text}\n`);
}

function logError(what, error) {
  const known = described(error);
  const shown = { errorType: known.errorType, errorMessage: known.errorMessage, stack: known.trace };
  logLine('ERROR', `${what} \t${JSON.stringify(shown)}`);
}

function post(target, error) {
  const known = described(error);
  return call('POST', target, JSON.stringify(known), {
    'Content-Type': 'application/json',
    'Lambda-Runtime-Function-Error-Type': known.errorType,
  });
}

function patchConsole() {
  const levels = { log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR', debug: 'DEBUG', trace: 'TRACE' };
  for (const [name, level] of Object.entries(levels)) {
    console[name] = (...parts) => logLine(level, util.format(...parts));
  }
}

// Response streams: what is written is collected and sent when the stream ends.
class ResponseStream extends Writable {
  constructor() {
    super();
    this.parts = [];
    this.contentType = 'application/json';
  }

  setContentType(type) {
    this.contentType = type;
  }

  _write(part, _encoding, done) {
    this.parts.push(Buffer.from(part));
    done();
  }
}

globalThis.awslambda = {
  streamifyResponse(handler) {
    handler[STREAMED] = true;
    return handler;
  },
  HttpResponseStream: {
    from(stream, metadata) {
      stream.setContentType('application/vnd.awslambda.http-integration-response');
      stream.write(JSON.stringify(metadata));
      stream.write(Buffer.alloc(8));
      return stream;
    },
  },
};

function isEsmPackage(file) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (path.basename(folder) === 'node_modules') return false;
    try {
      return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).type === 'module';
    } catch (error) {
      if (error.code !== 'ENOENT') return false;
    }
    if (folder === path.dirname(folder)) return false;
  }
}

async function load(root, folder, name) {
  const require = createRequire(path.join(root, 'index.js'));
  const base = path.resolve(root, folder, name);
  const imported = (file) => import(pathToFileURL(file).href);
  if (fs.existsSync(base) && fs.statSync(base).isFile()) return require(base);
  if (fs.existsSync(`${base}.js`)) return isEsmPackage(`${base}.js`) ? imported(`${base}.js`) : require(`${base}.js`);
  if (fs.existsSync(`${base}.mjs`)) return imported(`${base}.mjs`);
  if (fs.existsSync(`${base}.cjs`)) return require(`${base}.cjs`);
  return require(require.resolve(name, { paths: [root, path.resolve(root, folder)] }));
}

async function find(handler) {
  if (handler.includes('..')) {
    throw new RuntimeError(
      'MalformedHandlerName',
      `'${handler}' is not a valid handler name. Use absolute paths when specifying root directories in handler names.`,
    );
  }
  const file = path.basename(handler);
  const folder = handler.slice(0, handler.length - file.length);
  const parts = /^([^.]*)\.(.*)$/.exec(file);
  if (!parts) throw new RuntimeError('MalformedHandlerName', 'Bad handler');
  let module;
  try {
    module = await load(process.cwd(), folder, parts[1]);
  } catch (error) {
    const kinds = { MODULE_NOT_FOUND: 'ImportModuleError' };
    const kind = error instanceof SyntaxError ? 'UserCodeSyntaxError' : kinds[error?.code];
    throw kind ? new RuntimeError(kind, String(error)) : error;
  }
  const follow = (from) => parts[2].split('.').reduce((value, name) => value?.[name], from);
  const found = follow(module) ?? follow(module?.default);
  if (found === undefined || found === null) {
    throw new RuntimeError('HandlerNotFound', `${handler} is undefined or not exported`);
  }
  if (typeof found !== 'function') throw new RuntimeError('HandlerNotFound', `${handler} is not a function`);
  return found;
}

function parsed(headers, name) {
  return headers[name] ? JSON.parse(headers[name]) : undefined;
}

function contextOf(headers) {
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    clientContext: parsed(headers, 'lambda-runtime-client-context'),
    identity: parsed(headers, 'lambda-runtime-cognito-identity'),
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

// What the handler answers, by a promise, by a callback, or by nothing left to do.
function run(handler, event, context) {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const whenIdle = (finish) => {
      process.removeAllListeners('beforeExit');
      if (context.callbackWaitsForEmptyEventLoop) process.once('beforeExit', finish);
      else setImmediate(finish);
    };
    const callback = (error, value) => {
      if (isOver) return;
      isOver = true;
      whenIdle(() => (error === undefined || error === null ? resolve(value) : reject(error)));
    };
    const done = (error, value) => {
      context.callbackWaitsForEmptyEventLoop = false;
      callback(error, value);
    };
    context.done = done;
    context.succeed = (value) => done(null, value);
    context.fail = (error) => done(error === undefined || error === null ? 'handled' : error);
    process.removeAllListeners('beforeExit');
    process.once('beforeExit', () => {
      isOver = true;
      resolve(null);
    });
    let result;
    try {
      if (handler[STREAMED]) {
        const stream = new ResponseStream();
        stream.on('finish', () => {
          process.removeAllListeners('beforeExit');
          resolve(stream);
        });
        result = handler(event, stream, context);
        if (typeof result?.then === 'function') result.then(undefined, reject);
        return;
      }
      result = handler(event, context, callback);
    } catch (error) {
      isOver = true;
      reject(error);
      return;
    }
    if (typeof result?.then === 'function') {
      result.then(
        (value) => {
          if (!isOver) {
            isOver = true;
            resolve(value);
          }
        },
        (error) => {
          isOver = true;
          reject(error);
        },
      );
    }
  });
}

function serialized(value) {
  try {
    return JSON.stringify(value === undefined ? null : value) ?? 'null';
  } catch {
    throw new Error('Unable to stringify response body');
  }
}

async function answer(handler, next) {
  const id = next.headers['lambda-runtime-aws-request-id'];
  current = id;
  process.env._X_AMZN_TRACE_ID = next.headers['lambda-runtime-trace-id'] ?? '';
  try {
    const event = JSON.parse(next.body.toString('utf8'));
    const value = await run(handler, event, contextOf(next.headers));
    process.removeAllListeners('beforeExit');
    if (value instanceof ResponseStream) {
      const headers = { 'Content-Type': value.contentType, 'Lambda-Runtime-Function-Response-Mode': 'streaming' };
      await call('POST', `/invocation/${id}/response`, Buffer.concat(value.parts), headers);
    } else {
      await call('POST', `/invocation/${id}/response`, serialized(value), { 'Content-Type': 'application/json' });
    }
  } catch (error) {
    process.removeAllListeners('beforeExit');
    logError('Invoke Error', error);
    await post(`/invocation/${id}/error`, error);
  }
}

async function fatal(what, error, status) {
  logError(what, error);
  try {
    await post(current ? `/invocation/${current}/error` : '/init/error', error);
  } finally {
    process.exit(status);
  }
}

async function main() {
  patchConsole();
  process.on('uncaughtException', (error) => fatal('Uncaught Exception', error, 129));
  process.on('unhandledRejection', (reason) => {
    const error = new RuntimeError('UnhandledPromiseRejection', String(reason));
    fatal('Unhandled Promise Rejection', error, 128);
  });
  let handler;
  try {
    handler = await find(process.argv[2]);
  } catch (error) {
    logError('Uncaught Exception', error);
    await post('/init/error', error);
    process.exit(1);
  }
  for (;;) {
    const next = await call('GET', '/invocation/next');
    if (next.status !== 200) process.exit(1);
    await answer(handler, next);
  }
}

main();
