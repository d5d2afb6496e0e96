/**
 * Who chose the address. `endpoint`: config.yaml names it, so it may be private. `supplied`: people or
 * other servers did, so only public addresses are reached, checked by literal, by resolution, on the
 * connected socket and at every redirect.
 */
export type AddressOrigin = "endpoint" | "supplied";

/** Where one `supplied` request may go, asked anew at every redirect. */
export interface OutgoingReach {
  /**
   * `host` as in an address, lower case, without a dot at its end and without brackets: a name in
   * ASCII or an IP literal.
   */
  host(host: string): boolean;
  /** An IP literal, never an IPv4 one inside IPv6; `isPublic` says whether it is of the public internet. */
  address(address: string, isPublic: boolean): boolean;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly from: AddressOrigin;
  /** In place of "every public address"; of `supplied` requests only. */
  readonly reach?: OutgoingReach;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole exchange; 10 s unless said. */
  readonly timeoutMs?: number;
  /** Bytes of the answer; 1 MB unless said. */
  readonly maxBytes?: number;
  /** Redirects followed; 3 unless said, none for POST. */
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

/** The only way to fetch something from elsewhere. */
export interface Outgoing {
  /** Any status is an answer; throws `OutgoingFailed` when there is none. */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
}
