import type { Instance } from "./program.ts";
import { run, secrets } from "./program.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert the content
  readonly body: any;
}

export interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request over real HTTP. */
export async function call(base: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    method: options.method ?? (options.body === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: {
      "x-rollcall": "1",
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  const json = (response.headers.get("content-type") ?? "").includes("json");
  return { status: response.status, headers: response.headers, text, body: json && text !== "" ? JSON.parse(text) : undefined };
}

/** Sends items to the Sync API. */
export async function sendTo(
  base: string,
  kind: string,
  items: readonly unknown[],
  token: string = secrets.sync,
): Promise<Answer> {
  return await call(base, `/api/sync/v1/${kind}`, { body: { items }, token });
}

export interface Person {
  readonly username: string;
  readonly password: string;
  readonly cookie: string;
  readonly characterId: number;
  readonly token: string;
}

/** Creates an account with the command line, gives it a character in a job, and signs it in over HTTP. */
export async function person(
  instance: Instance,
  options: {
    readonly username: string;
    readonly job?: string;
    readonly grade?: number;
    readonly groups?: string;
    readonly env?: Record<string, string>;
  },
): Promise<Person> {
  const { username, job = "police", grade = 1, env = {} } = options;
  const licence = `licence-of-${username}`;
  await sendTo(instance.url, "users", [
    { identifier: `char1:${licence}`, firstName: "Per", lastName: username, jobs: [{ name: job, grade }] },
  ]);
  const groups = options.groups === undefined ? [] : ["--groups", options.groups];
  const created = await run(["account", "create", username, "--licence", licence, ...groups], instance, { env });
  if (created.code !== 0) throw new Error(created.stderr);
  const password = /Password: (\S+)/.exec(created.stdout)?.[1] ?? "";
  return await signIn(instance.url, username, password);
}

export async function signIn(
  base: string,
  username: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<Person> {
  const login = await call(base, "/api/auth/login", { body: { username, password }, headers });
  if (login.status !== 200) throw new Error(`sign-in of ${username}: ${login.status} ${login.text}`);
  const cookie = login.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const { body } = await call(base, "/api/auth/characters", { cookie });
  const characterId = body.characters[0].id as number;
  return { username, password, cookie, characterId, token: await userToken(base, { cookie, characterId }) };
}

export async function userToken(base: string, who: { readonly cookie: string; readonly characterId: number }): Promise<string> {
  const answer = await call(base, "/api/auth/token", { body: { characterId: who.characterId }, cookie: who.cookie });
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`);
  return answer.body.token as string;
}
