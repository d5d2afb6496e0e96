import { type Answer, call } from "./api.ts";

/** An HTTP client like a browser: stores cookies and follows a provider's redirects. */
export interface Visitor {
  readonly jar: Map<string, string>;
  /** Returns where an address of the program redirects to. */
  arrive(path: string): Promise<string>;
  /** Signs in with a provider that consents at once; returns the final address. */
  go(name: string, query?: string): Promise<string>;
  /** Connects the signed-in account, by its password; returns the final address. */
  connect(name: string, password: string, back: string): Promise<string>;
  /** Starts a sign-in with the provider; returns the address of the provider's page. */
  leave(name: string, query?: string): Promise<URL>;
  readonly cookie: () => string;
}

export function visitor(base: string, cookie?: string): Visitor {
  const [given = "", value = ""] = (cookie ?? "").split("=", 2);
  const jar = new Map<string, string>(cookie === undefined ? [] : [[given, value]]);
  const shown = () => [...jar].map((pair) => pair.join("=")).join("; ");
  function keep(answer: Answer): void {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", text = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (text === "") jar.delete(name);
      else jar.set(name, text);
    }
  }
  async function arrive(path: string): Promise<string> {
    const answer = await call(base, path, { cookie: shown() });
    keep(answer);
    return answer.headers.get("location") ?? `${answer.status}`;
  }
  const leave = async (name: string, query = "") => new URL(await arrive(`/api/oauth2/login/${name}${query}`));
  async function agree(location: string | URL): Promise<string> {
    const there = await fetch(location, { redirect: "manual" });
    const back = new URL(there.headers.get("location") ?? "");
    return await arrive(back.pathname + back.search);
  }
  return {
    jar,
    arrive,
    leave,
    cookie: shown,
    async connect(name, password, back) {
      const begun = await call(base, `/api/oauth2/connections/${name}`, { cookie: shown(), body: { password, return: back } });
      if (begun.status !== 200) throw new Error(`connecting ${name}: ${begun.status} ${begun.text}`);
      keep(begun);
      return await agree(begun.body.location as string);
    },
    go: async (name, query = "") => await agree(await leave(name, query)),
  };
}
