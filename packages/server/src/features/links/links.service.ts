import type { Actor } from "#core/actor.ts";
import { readableCode } from "#core/codes.ts";
import { guardErrors, type LinkDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Ids, OpenLink, Outbox, Signer, Tx } from "#core/ports/index.ts";
import { createRecent } from "#core/recent.ts";
import { syncTokenFingerprint } from "#core/sync-token.ts";
import { type BucketLimits, TokenBucket, TokenBuckets } from "#core/token-bucket.ts";
import type { IssuedLink, LinkCheck, LinksApi, ListedLink, NewLink } from "./links.api.ts";
import { linksEnded } from "./links.contract.ts";
import { checkExpiry, issuerName, labelOf, secretHash, stateOf } from "./links.policy.ts";
import * as repo from "./links.repo.ts";

export interface LinksDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outbox: Outbox;
  readonly signer: Signer;
  readonly definitions: () => readonly LinkDefinition[];
  /** `sync.apiTokens`. */
  readonly syncTokens: readonly string[];
}

const maxRemembered = 20_000;
/** The most that the payload of `links.ended` takes. */
const endedAtOnce = 1000;
/** Wrong secrets of one network. */
const guesses: BucketLimits = { perSecond: 10 / 60, burst: 20 };

/** Issues, finds, uses and revokes secret links. */
export class LinksService implements LinksApi {
  readonly #deps: LinksDeps;
  /** Keyed, so that the stored fingerprint cannot be computed from a sync token alone. */
  readonly #syncTokens: readonly string[];
  readonly #guesses = new TokenBuckets(maxRemembered);
  /** Hashes of secrets that were right last time: somebody who guesses cannot lock them out of their network. */
  readonly #accepted = createRecent(maxRemembered);

  constructor(deps: LinksDeps) {
    this.#deps = deps;
    this.#syncTokens = deps.syncTokens.map((token) => this.#keyed(syncTokenFingerprint(token)));
  }

  async issue(tx: Tx, actor: Actor, definition: LinkDefinition, link: NewLink): Promise<IssuedLink> {
    const { clock, ids } = this.#deps;
    const now = clock.now();
    checkExpiry(definition, link.expiresAt, now);
    const secret = readableCode(Buffer.from(ids.secret(32), "base64url"));
    const id = await repo.insert(tx, {
      secret_hash: secretHash(secret),
      kind: definition.id,
      subject: link.subject,
      label: labelOf(link.label),
      issued_by: issuerName(actor).slice(0, 100),
      account_id: "accountId" in actor ? actor.accountId : null,
      sync_token: actor.kind === "sync" ? this.#keyed(actor.tokenFingerprint) : null,
      created_at: now,
      expires_at: link.expiresAt,
    });
    return { id, secret };
  }

  async revoke(
    tx: Tx,
    definition: LinkDefinition,
    subjects: readonly string[],
    ids?: readonly number[],
  ): Promise<readonly number[]> {
    const rows = await repo.ofSubjects(tx, [definition.id], subjects);
    const ended = rows.map(({ id }) => id).filter((id) => ids === undefined || ids.includes(id));
    await this.#end(tx, ended);
    return ended;
  }

  async revokeIssuedBy(tx: Tx, accountIds: readonly number[], definitions?: readonly LinkDefinition[]): Promise<void> {
    const kinds = definitions?.map(({ id }) => id);
    await this.#end(tx, await repo.idsIssuedBy(tx, accountIds, kinds));
  }

  async list(tx: Tx, definitions: readonly LinkDefinition[], subject: string): Promise<readonly ListedLink[]> {
    const rows = await repo.ofSubjects(
      tx,
      definitions.map(({ id }) => id),
      [subject],
    );
    return rows
      .filter((row) => this.#stateOf(row) === "open")
      .map(({ id, kind, label, issued_by: issuedBy, created_at: createdAt, expires_at: expiresAt }) => ({
        id,
        kind,
        label,
        issuedBy,
        createdAt,
        expiresAt,
      }));
  }

  async check(tx: Tx, definition: LinkDefinition, secret: string): Promise<LinkCheck> {
    return this.#checked(definition, await repo.find(tx, secretHash(secret)));
  }

  async use(tx: Tx, definition: LinkDefinition, secret: string): Promise<LinkCheck> {
    const found = this.#checked(definition, await repo.lock(tx, secretHash(secret)));
    if (found.state === "open" && definition.uses === 1) await this.#end(tx, [found.link.linkId]);
    return found;
  }

  async find(secret: string, network: string): Promise<OpenLink | null> {
    const { clock, db } = this.#deps;
    const hash = secretHash(secret);
    const guess = this.#guesses.of(network, () => new TokenBucket(clock, guesses));
    const known = this.#accepted.has(hash);
    if (!known && guess.tokens < 1)
      throw new AppError(guardErrors.rateLimited, { params: { seconds: Math.ceil((1 - guess.tokens) / guesses.perSecond) } });
    // Taken before the lookup, so that calls at the same time count too.
    guess.take(1);
    const link = this.#open(await db.read("links.find", async (tx) => await repo.find(tx, hash)));
    if (link === null) this.#accepted.remove(hash);
    else {
      this.#accepted.add(hash);
      guess.putBack(1);
    }
    return link;
  }

  async present(linkId: number): Promise<OpenLink | null> {
    return this.#open(await this.#deps.db.read("links.present", async (tx) => await repo.findById(tx, linkId)));
  }

  async prune(tx: Tx, before: number, limit: number): Promise<number> {
    return await repo.pruneExpired(tx, before, limit);
  }

  /** A link that was revoked after the backup would be open again. */
  async restored(tx: Tx): Promise<void> {
    await repo.removeAll(tx);
  }

  #checked(definition: LinkDefinition, row: repo.LinkRow | null): LinkCheck {
    const state = row?.kind === definition.id ? this.#stateOf(row) : "invalid";
    const link = this.#open(row);
    if (state === "open" && link !== null && row !== null) return { state, link, bySync: row.sync_token !== null };
    return { state: state === "withdrawn" ? state : "invalid" };
  }

  #stateOf(row: repo.LinkRow | null) {
    return stateOf(row, this.#deps.clock.now(), this.#syncTokens);
  }

  /** Null for a link that may not be used now, or whose definition another version has. */
  #open(row: repo.LinkRow | null): OpenLink | null {
    if (row === null || this.#stateOf(row) !== "open") return null;
    const definition = this.#deps.definitions().find(({ id }) => id === row.kind);
    if (definition === undefined) return null;
    return { linkId: row.id, definition, subject: row.subject, label: row.label, expiresAt: row.expires_at };
  }

  async #end(tx: Tx, linkIds: readonly number[]): Promise<void> {
    const { clock, outbox } = this.#deps;
    for (let i = 0; i < linkIds.length; i += endedAtOnce) {
      const ended = linkIds.slice(i, i + endedAtOnce);
      await repo.remove(tx, ended);
      await outbox.emit(tx, linksEnded, { key: `link/${ended[0]}`, version: clock.now(), payload: { linkIds: ended } });
    }
  }

  #keyed(fingerprint: string): string {
    return this.#deps.signer.sign("links.syncToken", fingerprint);
  }
}
