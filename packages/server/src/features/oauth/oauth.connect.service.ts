import type { AccountActor } from "#core/actor.ts";
import { DuplicateKey } from "#core/db/errors.ts";
import type { Clock, Database, Tx, Vault } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { AttemptEnded } from "./oauth.attempts.service.ts";
import { oauthConnected } from "./oauth.contract.ts";
import type { Exchanged, Tokens } from "./oauth.exchange.service.ts";
import type { Identity } from "./oauth.policy.ts";
import type { ProvidersService } from "./oauth.providers.service.ts";
import * as repo from "./oauth.repo.ts";
import { tokenPurpose } from "./oauth.tokens.policy.ts";

export interface ConnectDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly notifications: NotificationsApi;
  readonly providers: ProvidersService;
}

/** A person whom a provider identified. */
export type Person = Exchanged & { readonly identity: Identity };

/** Stores connections between accounts and people at providers. */
export class ConnectService {
  readonly #deps: ConnectDeps;

  constructor(deps: ConnectDeps) {
    this.#deps = deps;
  }

  /** Throws `AttemptEnded` when the person or the account is connected otherwise. */
  async connect(account: AccountActor, provider: string, person: Person): Promise<void> {
    try {
      await this.#deps.db.write("oauth.connect", async (tx) => await this.#store(tx, account, provider, person));
    } catch (error) {
      if (error instanceof DuplicateKey)
        throw new AttemptEnded(error.constraint.includes("person") ? "taken" : "alreadyConnected");
      throw error;
    }
  }

  /** After a sign-in: stores what the provider returned this time. */
  async refresh(connection: repo.StoredConnection, { identity, tokens }: Person): Promise<void> {
    const details = this.#details(identity, tokens, connection);
    await this.#deps.db.write("oauth.refresh", async (tx) => await repo.update(tx, connection.id, details));
  }

  async #store(tx: Tx, account: AccountActor, name: string, { identity, tokens }: Person): Promise<void> {
    const { accounts, audit, notifications, providers } = this.#deps;
    const existing = await repo.findByPerson(tx, name, identity);
    if (existing?.account_id === account.accountId)
      return await repo.update(tx, existing.id, this.#details(identity, tokens, existing));
    const details = this.#details(identity, tokens);
    if (existing !== null) {
      // The connection of a deleted account does not reserve the person.
      if ((await accounts.byId(tx, existing.account_id)) !== null) throw new AttemptEnded("taken");
      await repo.remove(tx, existing.id);
    }
    if ((await repo.findOfAccount(tx, account.accountId, name)) !== null) throw new AttemptEnded("alreadyConnected");
    await repo.insert(tx, {
      account_id: account.accountId,
      provider: name,
      external_id: identity.id,
      created_at: details.updated_at,
      ...details,
    });
    await audit.record(
      tx,
      { kind: "account", ...account },
      {
        action: "oauth.connect",
        object: { kind: "account", id: account.accountId },
        after: { provider: name, person: identity.id, username: identity.username },
      },
    );
    const provider = providers.options(name)?.label ?? name;
    const recipients = [{ accountId: account.accountId }];
    await notifications.notify(tx, oauthConnected, { recipients, params: { provider }, link: "/account/connections" });
  }

  /** The refresh token of `before` is kept when the provider returns none. */
  #details(identity: Identity, tokens: Tokens, before?: repo.StoredConnection): repo.ConnectionDetails {
    const { clock, vault } = this.#deps;
    const previous = before?.refresh_token ?? null;
    const usable = previous !== null && vault.open(previous, tokenPurpose.refresh).state === "open";
    const seal = (text: string | null, purpose: string) => (text === null || !vault.available ? null : vault.seal(text, purpose));
    return {
      external_kind: identity.idKind,
      username: identity.username,
      avatar_url: identity.avatar,
      scopes: tokens.scopes,
      access_token: seal(tokens.access, tokenPurpose.access),
      refresh_token: seal(tokens.refresh, tokenPurpose.refresh) ?? (usable ? previous : null),
      token_expires_at: vault.available ? tokens.expiresAt : null,
      updated_at: clock.now(),
    };
  }
}
