import * as oauth from "oauth4webapi";
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

/** A provider with everything that its configuration leaves to defaults and discovery. */
export interface KnownProvider {
  readonly options: ProviderOptions;
  readonly scopes: readonly string[];
  readonly authURL: string;
  readonly tokenURL: string;
  /** Null when the id token alone tells who signed in. */
  readonly userInfoURL: string | null;
  /** What discovery found; null without. */
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
  readonly until: number;
}

const foundMs = 60 * 60_000;
const missedMs = 60_000;
const realChat = { api: "https://discord.com/api/v10", page: "https://discord.com/oauth2/authorize" };
const realChatPictures = "https://cdn.discordapp.com";

const hostOf = (url: string | null) => (url === null ? [] : [new URL(url).host]);

/** The providers of the configuration, with the chat platform's defaults and OpenID discovery. */
export function createProviders(deps: ProvidersDeps) {
  const byName = new Map(deps.providers.map((options) => [options.name, options]));
  const discoveries = new Map<string, Discovered>();
  const chatApi = deps.chatApiURL ?? realChat.api;

  /** Where `url` comes from: on a host that the configuration names for this provider, or not. */
  function originOf(options: ProviderOptions, url: string): AddressOrigin {
    const { authURL, tokenURL, userInfoURL } = options.endpoints;
    const named = [authURL, tokenURL, userInfoURL, options.type === "chat" ? chatApi : null].flatMap(hostOf);
    return named.includes(new URL(url).host) ? "endpoint" : "supplied";
  }

  async function describedAt(options: ProviderOptions, issuer: string): Promise<oauth.AuthorizationServer | null> {
    const url = `${issuer}/.well-known/openid-configuration`;
    const answer = await deps.outgoing.request({ url, from: originOf(options, url), timeoutMs: 5000 }).catch(() => null);
    if (answer?.status !== 200) return null;
    try {
      const found = parseClaims(Buffer.from(answer.body).toString("utf8")) as oauth.AuthorizationServer;
      return String(found.issuer).replace(/\/$/, "") === issuer ? found : null;
    } catch {
      return null;
    }
  }

  async function discover(options: ProviderOptions): Promise<Discovered> {
    const known = discoveries.get(options.name);
    if (known && known.until > deps.clock.monotonic()) return known;
    let server: oauth.AuthorizationServer | null = null;
    for (const issuer of issuersOf(options.endpoints.authURL ?? "")) server ??= await describedAt(options, issuer);
    const until = deps.clock.monotonic() + (server ? foundMs : missedMs);
    const found = { server, jwks: known?.jwks ?? {}, until };
    discoveries.set(options.name, found);
    return found;
  }

  function chat(options: ProviderOptions): KnownProvider {
    const { authURL, tokenURL, userInfoURL } = options.endpoints;
    return {
      options,
      scopes: options.scopes.length > 0 ? options.scopes : ["identify"],
      authURL: authURL ?? (deps.chatApiURL === null ? realChat.page : `${chatApi}/oauth2/authorize`),
      tokenURL: tokenURL ?? `${chatApi}/oauth2/token`,
      userInfoURL: userInfoURL ?? `${chatApi}/users/@me`,
      server: null,
      jwks: {},
    };
  }

  return {
    all: (): readonly ProviderOptions[] => deps.providers,
    options: (name: string): ProviderOptions | null => byName.get(name) ?? null,
    originOf,
    /** Where avatars of the chat platform are, without a slash at the end. */
    chatPictures: deps.chatApiURL === null ? realChatPictures : new URL(deps.chatApiURL).origin,

    /** Throws `ProviderIncomplete` when discovery does not give what the configuration left to it. */
    async known(options: ProviderOptions): Promise<KnownProvider> {
      if (options.type === "chat") return chat(options);
      const { authURL, tokenURL, userInfoURL } = options.endpoints;
      const { server, jwks } = options.scopes.includes("openid") ? await discover(options) : { server: null, jwks: {} };
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
    },
  };
}

export type Providers = ReturnType<typeof createProviders>;
