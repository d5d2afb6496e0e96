import * as oauth from "oauth4webapi";
import type { Clock, Ids, Outgoing } from "#core/ports/index.ts";
import { chatAvatar, chatIdentity, type Identity, identityOf, parseClaims, webAddress } from "./oauth.policy.ts";
import type { KnownProvider, ProvidersService } from "./oauth.providers.service.ts";
import { ExchangeFailed, type OauthClient, TokenEndpoint } from "./oauth.tokens.service.ts";

/** What the browser's sealed cookie stores while the browser is at the provider. */
export interface AttemptSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string | null;
  /** Milliseconds UTC. */
  readonly expiresAt: number | null;
  readonly scopes: string;
}

export interface Exchanged {
  /** Null when the provider returns no usable id. */
  readonly identity: Identity | null;
  readonly tokens: Tokens;
}

export interface ExchangeDeps {
  readonly providers: ProvidersService;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The steps of the authorization code flow that involve the provider. */
export class ExchangeService {
  readonly #deps: ExchangeDeps;
  readonly #tokenEndpoint: TokenEndpoint;

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    this.#tokenEndpoint = new TokenEndpoint(deps);
  }

  /** Where to send the browser, and the secrets for its cookie. */
  async begin(provider: KnownProvider): Promise<{ location: string; secrets: AttemptSecrets }> {
    const { ids } = this.#deps;
    const { options, scopes } = provider;
    const secrets = { state: ids.secret(32), verifier: ids.secret(48), nonce: ids.secret(24) };
    const url = new URL(provider.authURL);
    const query = {
      response_type: "code",
      client_id: options.clientID,
      redirect_uri: options.redirectURL,
      state: secrets.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: "S256",
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      ...(scopes.includes("openid") && { nonce: secrets.nonce }),
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { location: url.href, secrets };
  }

  /** Throws `ExchangeFailed`, and `OutgoingFailed` when an endpoint does not answer. */
  async exchange(provider: KnownProvider, query: { code: string; iss?: string }, secrets: AttemptSecrets): Promise<Exchanged> {
    try {
      return await this.#run(provider, query, secrets);
    } catch (error) {
      // An error of the library may contain the whole answer with its tokens: only its message is used.
      if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
        throw new ExchangeFailed(error.message);
      throw error;
    }
  }

  async #run(provider: KnownProvider, query: { code: string; iss?: string }, secrets: AttemptSecrets): Promise<Exchanged> {
    const client: OauthClient = { client_id: provider.options.clientID, [oauth.clockTolerance]: 30 };
    const server = provider.server ?? { issuer: new URL(provider.authURL).origin };
    const given = new URLSearchParams({ state: secrets.state, code: query.code });
    if (query.iss !== undefined && provider.server !== null) given.set("iss", query.iss);
    const params = oauth.validateAuthResponse(server, client, given, secrets.state);
    const answer = await this.#tokenEndpoint.request(provider, server, client, params, secrets.verifier);
    const result = await this.#tokenEndpoint.check(provider, server, client, answer, secrets.nonce);
    const claims = oauth.getValidatedIdTokenClaims(result);
    const person = await this.#userInfo(provider, result.access_token);
    const subject = (person as { sub?: unknown } | null)?.sub;
    if (provider.server !== null && claims !== undefined && subject !== undefined && subject !== claims.sub)
      throw new ExchangeFailed("the user info endpoint and the id token are about different people");
    return {
      identity: this.#identityOf(provider, [person, claims]),
      tokens: {
        access: result.access_token,
        refresh: result.refresh_token ?? null,
        expiresAt: result.expires_in === undefined ? null : this.#deps.clock.now() + result.expires_in * 1000,
        scopes: result.scope ?? provider.scopes.join(" "),
      },
    };
  }

  async #userInfo({ options, userInfoURL }: KnownProvider, token: string): Promise<unknown> {
    if (userInfoURL === null) return {};
    const answer = await this.#deps.outgoing.request({
      url: userInfoURL,
      from: this.#deps.providers.originOf(options, userInfoURL),
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
    });
    if (answer.status !== 200) throw new ExchangeFailed(`the user info endpoint answered ${answer.status}`);
    try {
      return parseClaims(Buffer.from(answer.body).toString("utf8"));
    } catch (error) {
      throw new ExchangeFailed("the user info endpoint did not answer with JSON", { cause: error });
    }
  }

  #identityOf({ options }: KnownProvider, sources: readonly unknown[]): Identity | null {
    if (options.type !== "chat") {
      const identity = identityOf(sources, options.mapping);
      return identity && { ...identity, avatar: webAddress(identity.avatar) };
    }
    const identity = chatIdentity(sources, options.mapping);
    const { chatPictures } = this.#deps.providers;
    return identity && { ...identity, avatar: webAddress(identity.avatar) ?? chatAvatar(chatPictures, identity) };
  }
}
