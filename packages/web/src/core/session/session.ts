import type { InputOf, OutputOf } from "@rollcall/server/contract/core";
import { characters, login, logout, token } from "@rollcall/server/contract/auth";
import type { Clock } from "#core/clock.ts";
import { asProblem, Problem } from "#core/problem.ts";
import { cookieDropped } from "./dropped.ts";
import type { KeptValues } from "#core/storage.ts";
import { createStore, type Store } from "#core/store.ts";
import type { TokenSource } from "#core/api.ts";
import type { Transport } from "#core/transport.ts";
import { createTokenKeeper, type IssuedToken, type TokenKeeper } from "./token.ts";

type Listed = OutputOf<typeof characters>;
export type Account = Listed["account"];
export type ListedCharacter = Listed["characters"][number];
type Credentials = InputOf<typeof login>["body"];
type SignedIn = OutputOf<typeof login>;
export type SignInState = "signedIn" | "factorNeeded";

/** What a chosen character is and may do. */
export type ActiveIdentity = Omit<IssuedToken, "token" | "expiresAt">;

export type SessionState =
  | { readonly phase: "starting" }
  | { readonly phase: "unreachable"; readonly problem: Problem }
  | { readonly phase: "signedOut" }
  | { readonly phase: "choosing"; readonly account: Account; readonly characters: readonly ListedCharacter[] }
  /** `lost`: the server forgot the session; the page stays and waits for a new sign-in. */
  | ({ readonly phase: "active"; readonly lost: boolean } & ActiveIdentity);

export interface Session extends TokenSource {
  readonly state: Store<SessionState>;
  /** Finds out who is signed in, and resumes the last character. `noCookie`: the page was loaded without a session. */
  start(noCookie?: boolean): Promise<void>;
  signIn(credentials: Credentials): Promise<SignInState>;
  /** Takes over the session that `step` opened; returns whether the second factor is still needed. */
  enter(step: () => Promise<SignedIn>): Promise<SignInState>;
  choose(characterId: number): Promise<void>;
  /** Back to the choice of characters. */
  leaveCharacter(): Promise<void>;
  signOut(): Promise<void>;
  /** Checks the session after sleep, or after another tab signed in. */
  wake(): void;
  /** Requests a new token with the current rights. */
  renewRights(): Promise<void>;
}

export interface SessionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Survives the browser's end. */
  readonly device: KeptValues;
  /** Survives a reload of this tab. */
  readonly tab: KeptValues;
}

const SIGN_IN_NEEDED = "system.signInNeeded";
/** On this device: somebody signed in and did not sign out since. */
const SIGNED_IN = "signedIn";
/** The character of the last token, of any account; `begin.js` asks for a token with it. */
const LAST = "last";

export function createSession(options: SessionOptions): Session {
  return new BrowserSession(options);
}

interface Waiting {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

class BrowserSession implements Session {
  readonly state = createStore<SessionState>({ phase: "starting" });
  readonly #options: SessionOptions;
  readonly #keeper: TokenKeeper;
  /** A refused character is then not a reason to list the others: the start does that itself. */
  #resuming = false;
  /** Calls that wait for a new sign-in. */
  #waiting: Waiting | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { clock, transport } = options;
    this.#keeper = createTokenKeeper({
      clock,
      serverNow: transport.serverNow,
      issue: (characterId) => transport.send(token, { body: { characterId } }),
      issued: ({ token: _token, expiresAt: _expiresAt, ...identity }) => {
        this.state.set({ phase: "active", lost: false, ...identity });
      },
      refused: (problem) => {
        if (problem.code === SIGN_IN_NEEDED) this.#lose();
        else if (!this.#resuming) void this.#list().catch(() => undefined);
      },
    });
  }

  async start(noCookie = false): Promise<void> {
    const { device, tab } = this.#options;
    // The browser may show an older page again after a sign-in.
    if (noCookie && device.read(SIGNED_IN) !== true) return this.#toSignedOut();
    try {
      if (await this.#resume()) return;
      const listed = await this.#characters();
      const { account, characters: own } = listed;
      const last = tab.read(lastCharacter(account.id)) ?? device.read(lastCharacter(account.id));
      await this.#begin(listed, own.find((one) => one.id === last) ?? onlyOne(own));
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 401) this.#toSignedOut();
      else if (this.state.get().phase !== "choosing") this.state.set({ phase: "unreachable", problem });
    }
  }

  /** Takes up the last character without asking first whose it is; false when there is none or it is refused. */
  async #resume(): Promise<boolean> {
    const { device, tab } = this.#options;
    const last = tab.read(LAST) ?? device.read(LAST);
    if (device.read(SIGNED_IN) !== true || typeof last !== "number") return false;
    this.#resuming = true;
    try {
      await this.choose(last);
      return true;
    } catch (error) {
      const { code, status } = asProblem(error);
      if (code === SIGN_IN_NEEDED || status < 400 || status >= 500 || status === 429) throw error;
      device.remove(LAST);
      tab.remove(LAST);
      return false;
    } finally {
      this.#resuming = false;
    }
  }

  signIn(credentials: Credentials): Promise<SignInState> {
    return this.enter(() => this.#options.transport.send(login, { body: credentials }));
  }

  async enter(step: () => Promise<SignedIn>): Promise<SignInState> {
    const { account } = await step();
    if (!account) return "factorNeeded";
    await this.#takeUp(account.id).catch((error: unknown) => {
      throw withoutCookie(error);
    });
    return "signedIn";
  }

  async #takeUp(accountId: number): Promise<void> {
    const before = this.state.get();
    if (before.phase === "active" && before.account.id === accountId) return this.choose(before.character.id);
    this.#release(new Problem(SIGN_IN_NEEDED, 401));
    const listed = await this.#characters();
    // A refused character is offered: choosing it says why.
    await this.#begin(listed, onlyOne(listed.characters)).catch(() => undefined);
  }

  /** Takes up a character without showing the choice before; offers it without one, or when that fails. */
  async #begin(listed: Listed, character: ListedCharacter | undefined): Promise<void> {
    if (!character) return this.#offer(listed);
    try {
      await this.choose(character.id);
    } catch (error) {
      this.#offer(listed);
      throw error;
    }
  }

  async choose(characterId: number): Promise<void> {
    const { device, tab } = this.#options;
    const { account } = await this.#keeper.choose(characterId);
    device.write(lastCharacter(account.id), characterId);
    tab.write(lastCharacter(account.id), characterId);
    device.write(LAST, characterId);
    tab.write(LAST, characterId);
    this.#release(null);
  }

  async leaveCharacter(): Promise<void> {
    await this.#list();
  }

  async signOut(): Promise<void> {
    const { transport, device, tab } = this.#options;
    const current = this.state.get();
    await transport.send(logout, {});
    if ("account" in current) {
      device.remove(lastCharacter(current.account.id));
      tab.remove(lastCharacter(current.account.id));
    }
    this.#toSignedOut();
  }

  wake(): void {
    const current = this.state.get();
    if (current.phase !== "active") return;
    const check = current.lost ? this.choose(current.character.id) : this.#keeper.fresh();
    check.catch(() => undefined);
  }

  hasCharacter(): boolean {
    return this.state.get().phase === "active";
  }

  async token(): Promise<string> {
    const current = this.state.get();
    if (current.phase === "active" && current.lost) await this.recover();
    try {
      return await this.#keeper.fresh();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== SIGN_IN_NEEDED) throw error;
      await this.recover();
      return this.#keeper.fresh();
    }
  }

  renew(refused: string | null): Promise<void> {
    this.#keeper.drop(refused);
    return Promise.resolve();
  }

  renewRights(): Promise<void> {
    return this.#keeper.again();
  }

  recover(): Promise<void> {
    const { phase } = this.state.get();
    if (phase === "choosing") this.#toSignedOut();
    if (phase !== "active") return Promise.reject(new Problem(SIGN_IN_NEEDED, 401));
    this.#lose();
    this.#waiting ??= waiting();
    return this.#waiting.promise;
  }

  #lose(): void {
    const current = this.state.get();
    if (current.phase === "active" && !current.lost) this.state.set({ ...current, lost: true });
  }

  #release(problem: Problem | null): void {
    const pending = this.#waiting;
    this.#waiting = null;
    if (problem) pending?.reject(problem);
    else pending?.resolve();
  }

  async #list(): Promise<void> {
    this.#offer(await this.#characters());
  }

  async #characters(): Promise<Listed> {
    const listed = await this.#options.transport.send(characters, {});
    this.#keeper.forget();
    this.#options.device.write(SIGNED_IN, true);
    return listed;
  }

  #offer(listed: Listed): void {
    this.state.set({ phase: "choosing", ...listed });
  }

  #toSignedOut(): void {
    this.#keeper.forget();
    for (const name of [SIGNED_IN, LAST]) this.#options.device.remove(name);
    this.#options.tab.remove(LAST);
    this.state.set({ phase: "signedOut" });
    this.#release(new Problem(SIGN_IN_NEEDED, 401));
  }
}

/** Right after signing in, a missing session can only mean that the browser dropped its cookie. */
function withoutCookie(error: unknown): Problem {
  const problem = asProblem(error);
  return problem.code === SIGN_IN_NEEDED ? cookieDropped() : problem;
}

/** Somebody with one character has nothing to choose. */
function onlyOne(characters: readonly ListedCharacter[]): ListedCharacter | undefined {
  return characters.length === 1 && characters[0]?.locked === false ? characters[0] : undefined;
}

function lastCharacter(account: number): string {
  return `character.${account}`;
}

function waiting(): Waiting {
  let resolve = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Without a waiting call the rejection would be unhandled.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
