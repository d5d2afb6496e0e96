import * as oauth from "oauth4webapi";
import { CachedMap } from "#core/cached.ts";
import type { AddressOrigin, Clock, Outgoing } from "#core/ports/index.ts";
import { issuersOf, type Mapping, parseClaims } from "./oauth.policy.ts";

/** An entry of `oauth2.providers`. */
export interface ProviderOptions {
  readonly name: string;
  readonly label: string | null;
  readonly homepage: string | null;
  readonly icon: string | null;
  readonly defaultAvatar: string | null;
  readonly type: string;
  readonly redirectURL: string;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly endpoints: {
    readonly authURL: string | null;
    readonly tokenURL: string | null;
    readonly userInfoURL: string | null;
  };
  readonly mapping: Mapping;
}

/** A provider, completed by defaults and discovery. */
export interface KnownProvider {
  readonly options: ProviderOptions;
  readonly scopes: readonly string[];
  readonly authURL: string;
  readonly tokenURL: string;
  /** Null when the id token alone identifies the person. */
  readonly userInfoURL: string | null;
  /** The result of OpenID discovery; null without it. */
  readonly server: oauth.AuthorizationServer | null;
  readonly jwks: oauth.JWKSCacheInput;
}

export class ProviderIncomplete extends Error {
  override name = "ProviderIncomplete";
}

export interface ProvidersDeps {
  readonly providers: readonly ProviderOptions[];
  /** In place of the chat platform's API. */
  readonly chatApiURL: string | null;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}

interface Discovered {
  readonly server: oauth.AuthorizationServer | null;
  readonly jwks: oauth.JWKSCacheInput;
}

/** How long a result of discovery is cached, and how long a failure. */
const foundMs = 60 * 60_000;
const missedMs = 60_000;
const realChat = { api: "https://discord.com/api/v10", page: "https://discord.com/oauth2/authorize" };
const realChatPictures = "https://cdn.discordapp.com";

const hostOf = (url: string | null) => (url === null ? [] : [new URL(url).host]);

/** The providers of the configuration, with the chat platform's defaults and OpenID discovery. */
export class ProvidersService {
  /** Base address of the chat platform's avatars, without a slash at the end. */
  readonly chatPictures: string;
  readonly #deps: ProvidersDeps;
  readonly #byName: ReadonlyMap<string, ProviderOptions>;
  readonly #servers: CachedMap<string, oauth.AuthorizationServer | null>;
  /** Providers that discovery did not find. */
  readonly #missed: CachedMap<string, true>;
  /** Filled by the verification of id tokens; outlives a discovery. */
  readonly #keys = new Map<string, oauth.JWKSCacheInput>();
  readonly #chatApi: string;

  constructor(deps: ProvidersDeps) {
    this.#deps = deps;
    this.#byName = new Map(deps.providers.map((options) => [options.name, options]));
    const { clock } = deps;
    const max = deps.providers.length;
    this.#servers = new CachedMap({ clock, ttlMs: foundMs, max });
    this.#missed = new CachedMap({ clock, ttlMs: missedMs, max });
    this.#chatApi = deps.chatApiURL ?? realChat.api;
    this.chatPictures = deps.chatApiURL === null ? realChatPictures : new URL(deps.chatApiURL).origin;
  }

  all(): readonly ProviderOptions[] {
    return this.#deps.providers;
  }

  options(name: string): ProviderOptions | null {
    return this.#byName.get(name) ?? null;
  }

  /** Whether `url` is on a host that the configuration names for this provider. */
  originOf(options: ProviderOptions, url: string): AddressOrigin {
    const { authURL, tokenURL, userInfoURL } = options.endpoints;
    const named = [authURL, tokenURL, userInfoURL, options.type === "chat" ? this.#chatApi : null].flatMap(hostOf);
    return named.includes(new URL(url).host) ? "endpoint" : "supplied";
  }

  /** Throws `ProviderIncomplete` when discovery does not find the endpoints that the configuration omits. */
  async known(options: ProviderOptions): Promise<KnownProvider> {
    if (options.type === "chat") return this.#chat(options);
    const { authURL, tokenURL, userInfoURL } = options.endpoints;
    const { server, jwks } = options.scopes.includes("openid") ? await this.#discover(options) : { server: null, jwks: {} };
    const token = tokenURL ?? server?.token_endpoint ?? null;
    if (authURL === null || token === null) throw new ProviderIncomplete(`${options.name} has no token endpoint`);
    return {
      options,
      scopes: options.scopes,
      authURL,
      tokenURL: token,
      userInfoURL: userInfoURL ?? server?.userinfo_endpoint ?? null,
      server,
      jwks,
    };
  }

  #chat(options: ProviderOptions): KnownProvider {
    const { authURL, tokenURL, userInfoURL } = options.endpoints;
    return {
      options,
      scopes: options.scopes.length > 0 ? options.scopes : ["identify"],
      authURL: authURL ?? (this.#deps.chatApiURL === null ? realChat.page : `${this.#chatApi}/oauth2/authorize`),
      tokenURL: tokenURL ?? `${this.#chatApi}/oauth2/token`,
      userInfoURL: userInfoURL ?? `${this.#chatApi}/users/@me`,
      server: null,
      jwks: {},
    };
  }

  async #discover(options: ProviderOptions): Promise<Discovered> {
    const { name } = options;
    const jwks = this.#keys.get(name) ?? {};
    this.#keys.set(name, jwks);
    if (this.#missed.fresh(name) === true) return { server: null, jwks };
    const server = await this.#servers.get(name, async () => await this.#find(options));
    if (server === null) {
      // A failure is used for less time than what was found.
      this.#servers.invalidate(name);
      await this.#missed.get(name, async () => true);
    }
    return { server, jwks };
  }

  async #find(options: ProviderOptions): Promise<oauth.AuthorizationServer | null> {
    for (const issuer of issuersOf(options.endpoints.authURL ?? "")) {
      const server = await this.#describedAt(options, issuer);
      if (server !== null) return server;
    }
    return null;
  }

  async #describedAt(options: ProviderOptions, issuer: string): Promise<oauth.AuthorizationServer | null> {
    const url = `${issuer}/.well-known/openid-configuration`;
    const from = this.originOf(options, url);
    const answer = await this.#deps.outgoing.request({ url, from, timeoutMs: 5000 }).catch(() => null);
    if (answer?.status !== 200) return null;
    try {
      const found = parseClaims(Buffer.from(answer.body).toString("utf8")) as oauth.AuthorizationServer;
      return String(found.issuer).replace(/\/$/, "") === issuer ? found : null;
    } catch {
      return null;
    }
  }
}
