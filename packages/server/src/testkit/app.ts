import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectOptions, Response } from "light-my-request";
import { type Config, loadConfig } from "#config/index.ts";
import type { InputOf, OperationDefinition, OutputOf } from "#core/contract/index.ts";
import type { Dsn } from "#core/dsn.ts";
import type { Feature } from "#core/feature.ts";
import type { Clock, PasswordHashes } from "#core/ports/index.ts";
import type { ProgramLogs } from "#infra/log/index.ts";
import { sessionCookieName } from "#infra/http/cookie.ts";
import { type RateLimits, rateLimits } from "#infra/http/rate.ts";
import { createPasswordHashes } from "#infra/passwords.ts";
import { createApp } from "#app/app.ts";
import type { Role } from "#app/lifecycle.ts";
import type { RunningProcess } from "#app/lifecycle.ts";
import { silentLog } from "./silence.ts";

export const testSecrets = {
  cookie: "cookie-secret-of-the-tests-1",
  jwt: "jwt-secret-of-the-tests-22",
  sync: "sync-token-of-the-tests-333333",
} as const;
export const testOrigin = "http://localhost:8080";

/** The lowest cost that argon2 accepts: tests create thousands of accounts. */
const cheapHashes = createPasswordHashes({ memoryCost: 8, timeCost: 1 });

const silentLogs: ProgramLogs = { subsystem: () => silentLog, close: async () => undefined };

/** Formats a DSN as in the configuration. */
export function dsnText(dsn: Dsn): string {
  const loc = encodeURIComponent(dsn.zone);
  if (dsn.kind === "sqlite") return `sqlite:${dsn.file}?loc=${loc}`;
  const address = "socket" in dsn.address ? `unix(${dsn.address.socket})` : `tcp(${dsn.address.host}:${dsn.address.port})`;
  return `${dsn.user}:${dsn.password}@${address}/${dsn.database}?collation=${dsn.collation}&parseTime=True&loc=${loc}`;
}

export interface TestAppOptions {
  readonly dsn: string;
  /** By default `embedded:` in a separate folder. */
  readonly nats?: string;
  readonly roles?: readonly Role[];
  /** Environment variables that override the test configuration, for example `{ROLLCALL_MODE: "debug"}`. */
  readonly env?: Readonly<Record<string, string>>;
  /** No limits by default. */
  readonly rates?: RateLimits;
  /** The cheapest by default. */
  readonly passwordHashes?: PasswordHashes;
  /** That of the machine by default. */
  readonly clock?: Clock;
  /** Discards log lines by default. */
  readonly logs?: ProgramLogs;
  /** In addition to those of the program. */
  readonly features?: readonly Feature<Config>[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Response["headers"];
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert its content
  readonly body: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** User token or Sync API token. */
  readonly token?: string;
  /** Secret of a link. */
  readonly link?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** The server with real adapters, called in process: every hook and handler runs, no port is opened. */
export interface TestApp {
  readonly process: RunningProcess;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  call<D extends OperationDefinition>(
    operation: D,
    input: Partial<InputOf<D>>,
    options?: RequestOptions,
  ): Promise<Answer & { output: OutputOf<D> }>;
  close(): Promise<void>;
}

function configText(options: TestAppOptions, folder: string): string {
  const nats = options.nats ?? "embedded:";
  return `mode: release
logLevel: ERROR
jwt: { secret: "${testSecrets.jwt}" }
http:
  listen: 127.0.0.1:0
  adminListen: ""
  publicURL: ${testOrigin}
  origins: [${testOrigin}]
  trustedProxies: []
  sessions: { cookieSecret: "${testSecrets.cookie}", domain: localhost }
database: { dsn: "${options.dsn}" }
nats: { url: "${nats}" }
storage: { filesystem: { path: ${join(folder, "files")} } }
auth: { configAdminGroups: [admin], jobAdminGroups: [lead] }
sync: { enabled: true, apiTokens: ["${testSecrets.sync}"] }
chat: { enabled: false }
updateCheck: { enabled: false }
`;
}

/** Fills in the parameters and the query of `/api/citizens/:id`. */
export function pathOf(
  operation: OperationDefinition,
  input: { params?: object | undefined; query?: object | undefined },
): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = operation.path.replaceAll(/:(\w+)/g, (_part, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

export async function startApp(options: TestAppOptions): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-app-"));
  mkdirSync(join(folder, "files"));
  writeFileSync(join(folder, "config.yaml"), configText(options, folder));
  const loaded = loadConfig({ cwd: folder, env: options.env ?? {} });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => `${problem.path} ${problem.what}`).join("; "));
  const process = await createApp({
    loaded,
    roles: options.roles ?? ["web", "worker"],
    rates: options.rates ?? unlimitedRates,
    features: options.features ?? [],
    overrides: {
      logs: options.logs ?? silentLogs,
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      passwordHashes: options.passwordHashes ?? cheapHashes,
      database: { test: { volatile: true }, readerThreads: 1 },
    },
  });
  try {
    await process.start();
  } catch (error) {
    await process.stop();
    throw error;
  }
  const web = process.web;

  async function request(method: string, path: string, given: RequestOptions = {}): Promise<Answer> {
    const inject: InjectOptions = {
      method: method,
      url: path,
      remoteAddress: given.address ?? "127.0.0.1",
      headers: {
        "x-rollcall": "1",
        ...(given.token === undefined ? {} : { authorization: `Bearer ${given.token}` }),
        ...(given.link === undefined ? {} : { authorization: `Link ${given.link}` }),
        ...(given.cookie === undefined ? {} : { cookie: `${sessionCookieName}=${given.cookie}` }),
        ...given.headers,
      },
      ...(given.body === undefined ? {} : { payload: given.body as object }),
    };
    if (!web) throw new Error("this test app has no web role");
    const response = await web.inject(inject);
    const json = (response.headers["content-type"] ?? "").toString().includes("json");
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      body: json && response.payload !== "" ? response.json() : undefined,
    };
  }

  return {
    process,
    request,
    async call(operation, input, given = {}) {
      const body = (input as { body?: unknown }).body;
      const answer = await request(operation.method, pathOf(operation, input), body === undefined ? given : { ...given, body });
      return withOutput(operation, answer);
    },
    async close() {
      await process.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reading the output of a refused call throws what was answered, so that a test fails with the reason. */
function withOutput<D extends OperationDefinition>(operation: D, answer: Answer): Answer & { output: OutputOf<D> } {
  if (answer.status < 400) return { ...answer, output: answer.body as OutputOf<D> };
  const refused = () => {
    throw new Error(`${operation.id} answered ${answer.status} ${answer.text}`);
  };
  return Object.defineProperty({ ...answer }, "output", { get: refused }) as Answer & { output: OutputOf<D> };
}

const unlimitedRates = Object.fromEntries(
  Object.keys(rateLimits).map((budget) => [budget, { perSecond: 1e6, burst: 1e6 }]),
) as unknown as RateLimits;

/** The session cookie that an answer sets. */
export function cookieOf(answer: Answer): string {
  const header = [answer.headers["set-cookie"] ?? []].flat().find((one) => one.startsWith(`${sessionCookieName}=`));
  return header?.slice(sessionCookieName.length + 1).split(";", 1)[0] ?? "";
}
