import { call } from "./api.ts";

/** A browser without a page: keeps cookies and follows a provider's redirect over HTTP. */
export interface Visitor {
  readonly jar: Map<string, string>;
  /** Where an address of the program leads. */
  arrive(path: string): Promise<string>;
  /** Leaves for a provider that agrees at once, and gives where it leads in the end. */
  go(name: string, query?: string): Promise<string>;
  /** Leaves for the provider and gives the address of its sign-in page. */
  leave(name: string, query?: string): Promise<URL>;
  readonly cookie: () => string;
}

export function visitor(base: string, cookie?: string): Visitor {
  const [given = "", value = ""] = (cookie ?? "").split("=", 2);
  const jar = new Map<string, string>(cookie === undefined ? [] : [[given, value]]);
  const shown = () => [...jar].map((pair) => pair.join("=")).join("; ");
  async function arrive(path: string): Promise<string> {
    const answer = await call(base, path, { cookie: shown() });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", text = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (text === "") jar.delete(name);
      else jar.set(name, text);
    }
    return answer.headers.get("location") ?? `${answer.status}`;
  }
  const leave = async (name: string, query = "") => new URL(await arrive(`/api/oauth2/login/${name}${query}`));
  return {
    jar,
    arrive,
    leave,
    cookie: shown,
    async go(name, query = "") {
      const there = await fetch(await leave(name, query), { redirect: "manual" });
      const back = new URL(there.headers.get("location") ?? "");
      return await arrive(back.pathname + back.search);
    },
  };
}
