/**
 * Where the address comes from. `endpoint`: config.yaml, so it may be private. `supplied`: users or
 * other servers, so only public addresses are allowed, checked by literal, by resolution, on the
 * connected socket and at every redirect.
 */
export type AddressOrigin = "endpoint" | "supplied";

/** Which addresses one `supplied` request may reach; called again at every redirect. */
export interface OutgoingReach {
  /**
   * `host` is an ASCII name or an IP literal in lower case, without a trailing dot and without brackets.
   */
  host(host: string): boolean;
  /** An IP literal, never an IPv4 one inside IPv6; `isPublic`: whether it is routable on the public internet. */
  address(address: string, isPublic: boolean): boolean;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly from: AddressOrigin;
  /** Replaces "every public address"; for `supplied` requests only. */
  readonly reach?: OutgoingReach;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole exchange; 10 s by default. */
  readonly timeoutMs?: number;
  /** Bytes of the answer; 1 MB by default. */
  readonly maxBytes?: number;
  /** Redirects followed; 3 by default, none for POST. */
  readonly maxRedirects?: number;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

export type OutgoingProblem =
  | "refusedHost"
  | "refusedAddress"
  | "unreachable"
  | "timeout"
  | "tooLarge"
  | "badUrl"
  | "tooManyRedirects";

export class OutgoingFailed extends Error {
  override name = "OutgoingFailed";
  readonly problem: OutgoingProblem;
  constructor(problem: OutgoingProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** The only way to call other servers. */
export interface Outgoing {
  /** Any status is an answer; throws `OutgoingFailed` when there is none. */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
}
