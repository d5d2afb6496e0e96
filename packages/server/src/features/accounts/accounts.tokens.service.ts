import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { LinksApi } from "#features/links/links.api.ts";
import { type AccountDetail, accountsErrors, type TokenKind, tokenLinks } from "./accounts.contract.ts";
import { issuedBySync, tokenHash } from "./accounts.tokens.policy.ts";
import * as older from "./accounts.tokens.repo.ts";

export interface TokensDeps {
  readonly clock: Clock;
  readonly links: LinksApi;
  /** Of the sync tokens that are configured: older account tokens that others requested are void. */
  readonly syncTokenFingerprints: readonly string[];
}

/** A token that may be used. */
export interface UsableToken {
  readonly accountId: number;
  /** The game server requested it. */
  readonly bySync: boolean;
}

/** The tokens of accounts, of which each has one of each kind: secret links, and rows of versions before them. */
export class AccountTokens {
  readonly #deps: TokensDeps;

  constructor(deps: TokensDeps) {
    this.#deps = deps;
  }

  /** Replaces the older tokens of this kind. */
  async issue(
    tx: Tx,
    actor: Actor,
    account: { readonly id: number; readonly name: string },
    kind: TokenKind,
  ): Promise<{ readonly token: string; readonly expiresAt: number }> {
    const { clock, links } = this.#deps;
    await this.revoke(tx, account.id, kind);
    const expiresAt = clock.now() + tokenLinks[kind].maxAgeMs;
    const link = { subject: String(account.id), label: account.name, expiresAt };
    const { secret } = await links.issue(tx, actor, tokenLinks[kind], link);
    return { token: secret, expiresAt };
  }

  /** False when there was none. */
  async revoke(tx: Tx, accountId: number, kind: TokenKind): Promise<boolean> {
    const ended = await this.#deps.links.revoke(tx, tokenLinks[kind], [String(accountId)]);
    const deleted = await older.deleteTokens(tx, accountId, kind);
    return ended.length + deleted > 0;
  }

  /**
   * Ends the tokens of these accounts: what they were issued for is done, or the accounts are no longer those that they
   * were issued for.
   */
  async end(tx: Tx, accountIds: readonly number[]): Promise<void> {
    for (const definition of Object.values(tokenLinks)) await this.#deps.links.revoke(tx, definition, accountIds.map(String));
    await older.deleteTokensOf(tx, accountIds);
  }

  /**
   * Ends the tokens that these accounts issued: they are disabled, deleted or no longer config admins. Rows of earlier
   * versions stay, because they name their issuer only by a user name, which others may have had or got since.
   */
  async endIssuedBy(tx: Tx, accountIds: readonly number[]): Promise<void> {
    await this.#deps.links.revokeIssuedBy(tx, accountIds, Object.values(tokenLinks));
  }

  /** Those that may be used, the newest first. */
  async list(tx: Tx, accountId: number): Promise<AccountDetail["tokens"]> {
    const { clock, links, syncTokenFingerprints } = this.#deps;
    const kindOf = new Map<string, TokenKind>([
      [tokenLinks.register.id, "register"],
      [tokenLinks.reset.id, "reset"],
    ]);
    const open = await links.list(tx, Object.values(tokenLinks), String(accountId));
    const shown = open.flatMap(({ kind: id, issuedBy: createdBy, createdAt, expiresAt }) => {
      const kind = kindOf.get(id);
      return kind === undefined ? [] : [{ kind, createdBy, createdAt, expiresAt }];
    });
    return [...shown, ...(await older.usableTokens(tx, accountId, clock.now(), syncTokenFingerprints))];
  }

  /** Throws `accounts.tokenNotValid` and `accounts.tokenWithdrawn`. */
  async check(tx: Tx, text: string, kind: TokenKind): Promise<void> {
    const { state } = await this.#deps.links.check(tx, tokenLinks[kind], text);
    if (state === "withdrawn") throw new AppError(accountsErrors.tokenWithdrawn);
    if (state === "invalid") this.#requireUsable(await older.findToken(tx, tokenHash(text)), kind);
  }

  /** Uses a token up. Throws what `check` throws. */
  async use(tx: Tx, text: string, kind: TokenKind): Promise<UsableToken> {
    const { clock, links } = this.#deps;
    const found = await links.use(tx, tokenLinks[kind], text);
    if (found.state === "withdrawn") throw new AppError(accountsErrors.tokenWithdrawn);
    if (found.state === "open") return { accountId: Number(found.link.subject), bySync: found.bySync };
    const token = this.#requireUsable(await older.lockToken(tx, tokenHash(text)), kind);
    await older.markUsed(tx, token.id, clock.now());
    return { accountId: token.account_id, bySync: issuedBySync(token) };
  }

  /** Ends the tokens of accounts that are purged, and every link that they issued. */
  async purge(tx: Tx, accountIds: readonly number[]): Promise<void> {
    await this.end(tx, accountIds);
    await this.#deps.links.revokeIssuedBy(tx, accountIds);
  }

  #requireUsable(token: older.TokenRow | null, kind: TokenKind): older.TokenRow {
    const { clock, syncTokenFingerprints } = this.#deps;
    if (token?.kind !== kind || token.used_at !== null || token.expires_at <= clock.now())
      throw new AppError(accountsErrors.tokenNotValid);
    if (token.sync_token !== null && !syncTokenFingerprints.includes(token.sync_token))
      throw new AppError(accountsErrors.tokenWithdrawn);
    return token;
  }
}
