import * as oauth from "oauth4webapi";
import type { Outgoing } from "#core/ports/index.ts";
import type { KnownProvider, ProvidersService } from "./oauth.providers.service.ts";

/** The provider's answer is not as required; the message names the step and contains no secret. */
export class ExchangeFailed extends Error {
  override name = "ExchangeFailed";
}

export interface TokenAnswer {
  readonly status: number;
  readonly fields: Record<string, unknown>;
}

export type OauthClient = oauth.Client & { [oauth.clockTolerance]: number };

const authMethods = { client_secret_basic: oauth.ClientSecretBasic, client_secret_post: oauth.ClientSecretPost } as const;
type AuthMethod = keyof typeof authMethods;

/** Fields of a token answer, also of providers that answer in the form of a query. */
function fieldsOf(body: Uint8Array): Record<string, unknown> {
  const text = Buffer.from(body).toString("utf8");
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

function jsonOf(token: unknown, index: 0 | 1): Record<string, unknown> {
  try {
    const text = Buffer.from(String(token).split(".")[index] ?? "", "base64url").toString("utf8");
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new ExchangeFailed("the id token cannot be read");
  }
}

export interface TokenEndpointDeps {
  readonly providers: ProvidersService;
  readonly outgoing: Outgoing;
}

/** Requests tokens from a provider and checks them. */
export class TokenEndpoint {
  readonly #deps: TokenEndpointDeps;
  /** The method that worked last for each provider whose description does not say which one it requires. */
  readonly #worked = new Map<string, AuthMethod>();

  constructor(deps: TokenEndpointDeps) {
    this.#deps = deps;
  }

  /** Throws `ExchangeFailed`, and `OutgoingFailed` when the endpoint does not answer. */
  async request(
    provider: KnownProvider,
    server: oauth.AuthorizationServer,
    client: OauthClient,
    params: URLSearchParams,
    verifier: string,
  ): Promise<TokenAnswer> {
    const { options } = provider;
    let last: TokenAnswer = { status: 0, fields: {} };
    for (const method of this.#methodsOf(provider)) {
      const given = await oauth.authorizationCodeGrantRequest(
        { ...server, token_endpoint: provider.tokenURL },
        client,
        authMethods[method](options.clientSecret),
        params,
        options.redirectURL,
        verifier,
        this.#insecure(provider),
      );
      last = { status: given.status, fields: fieldsOf(new Uint8Array(await given.arrayBuffer())) };
      if (last.status === 200 && last.fields["error"] === undefined) {
        this.#worked.set(options.name, method);
        return last;
      }
      // The first request in which the provider accepts the client uses the code up.
      if (last.fields["error"] === "invalid_grant") break;
    }
    const error = String(last.fields["error"] ?? "").slice(0, 100);
    throw new ExchangeFailed(`the token endpoint answered ${last.status} ${error}`.trim());
  }

  /** Checks the answer, and the signature of the id token when discovery found the keys. */
  async check(
    provider: KnownProvider,
    server: oauth.AuthorizationServer,
    client: OauthClient,
    { fields }: TokenAnswer,
    nonce: string,
  ): Promise<oauth.TokenEndpointResponse> {
    const hasIdToken = typeof fields["id_token"] === "string";
    // Without discovery the id token is trusted because it came from the token endpoint itself.
    const issuing = provider.server ?? {
      ...server,
      ...(hasIdToken && {
        issuer: String(jsonOf(fields["id_token"], 1)["iss"]),
        id_token_signing_alg_values_supported: [String(jsonOf(fields["id_token"], 0)["alg"])],
      }),
    };
    const openid = provider.scopes.includes("openid") && (hasIdToken || provider.server !== null);
    const answer = new Response(JSON.stringify({ token_type: "bearer", ...fields }), {
      headers: { "content-type": "application/json" },
    });
    const result = await oauth.processAuthorizationCodeResponse(
      issuing,
      client,
      answer,
      openid ? { expectedNonce: nonce, requireIdToken: true } : {},
    );
    if (hasIdToken && provider.server?.jwks_uri !== undefined) {
      const options = { ...this.#insecure(provider), [oauth.jwksCache]: provider.jwks };
      await oauth.validateApplicationLevelSignature(issuing, answer, options);
    }
    return result;
  }

  #methodsOf({ options, server }: KnownProvider): AuthMethod[] {
    const all: AuthMethod[] =
      options.type === "chat" ? ["client_secret_post", "client_secret_basic"] : ["client_secret_basic", "client_secret_post"];
    const supported = all.filter((method) => server?.token_endpoint_auth_methods_supported?.includes(method) ?? true);
    const first = this.#worked.get(options.name);
    return [...new Set([...(first === undefined ? [] : [first]), ...(supported.length > 0 ? supported : all)])];
  }

  #insecure(provider: KnownProvider) {
    const fetch = async (url: string, init: oauth.CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>) =>
      await this.#fetch(provider, url, init);
    return { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true } as const;
  }

  async #fetch(
    provider: KnownProvider,
    url: string,
    init: oauth.CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>,
  ): Promise<Response> {
    const answer = await this.#deps.outgoing.request({
      url,
      from: this.#deps.providers.originOf(provider.options, url),
      method: init.method,
      headers: init.headers,
      ...(init.body === undefined ? {} : { body: String(init.body) }),
    });
    return new Response(answer.body.length === 0 ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: { "content-type": answer.headers["content-type"] ?? "" },
    });
  }
}
