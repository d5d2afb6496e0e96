import type { Actor } from "#core/actor.ts";
import type { FileAnswer } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Finding } from "#core/feature.ts";
import { networkOf } from "#core/network.ts";
import type { Database, Tx, Vault } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { IconsApi } from "#features/icons/icons.api.ts";
import type { ImageProxyApi, NamedBy, Picture } from "#features/imageproxy/imageproxy.api.ts";
import { type Connection, oauthErrors, type Provider } from "./oauth.contract.ts";
import { isChatAvatar, webAddress } from "./oauth.policy.ts";
import type { ProvidersService } from "./oauth.providers.service.ts";
import * as repo from "./oauth.repo.ts";
import { tokenPurpose } from "./oauth.tokens.policy.ts";

export interface ConnectionsDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly providers: ProvidersService;
  readonly images: ImageProxyApi;
  readonly icons: IconsApi;
}

const cacheSeconds = 300;
/** Pixels, of icons on buttons and of avatars. */
const iconSize = 128;
const avatarSize = 256;
const checkedPerStatement = 500;

function fileOf(picture: Picture | null): FileAnswer {
  if (picture === null) throw new AppError(oauthErrors.imageNotFound);
  return { type: picture.type, body: picture.bytes, etag: picture.etag, cacheSeconds };
}

/** Lists and ends connections, for their owners and for config admins; also serves their pictures. */
export class ConnectionsService {
  readonly #deps: ConnectionsDeps;

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
  }

  async providers(): Promise<{ providers: Provider[] }> {
    const providers: Provider[] = [];
    for (const { name, label, homepage, icon } of this.#deps.providers.all())
      providers.push({
        name,
        label: label ?? name,
        homepage,
        icon: webAddress(icon) === null ? null : `/api/oauth2/providers/${name}/icon`,
        iconName: await this.#iconName(icon),
      });
    return { providers };
  }

  /** For the doctor: providers whose `icon` is neither an address nor a known icon. */
  async unknownIcons(): Promise<readonly Finding[]> {
    const { providers } = await this.providers();
    return this.#deps.providers.all().flatMap(({ icon }, index): Finding[] => {
      const shown = providers[index];
      if (icon === null || shown === undefined || shown.icon !== null || shown.iconName !== null) return [];
      return [{ id: "oauth.iconUnknown", state: "warning", params: { provider: shown.name, icon } }];
    });
  }

  async icon(name: string, client: string): Promise<FileAnswer> {
    const { images, providers } = this.#deps;
    const url = webAddress(providers.options(name)?.icon ?? null);
    const query = { size: iconSize, namedBy: "configuration", drawings: true, requester: networkOf(client) } as const;
    return fileOf(url === null ? null : await images.picture({ ...query, url }));
  }

  async list(accountId: number): Promise<{ connections: Connection[] }> {
    return await this.#deps.db.read("oauth.connections", async (tx) => await this.#listed(tx, accountId, "/api/oauth2"));
  }

  async listOf(accountId: number): Promise<{ connections: Connection[] }> {
    const { accounts, db } = this.#deps;
    return await db.read("oauth.connectionsOf", async (tx) => {
      if ((await accounts.byId(tx, accountId)) === null)
        throw new AppError(accountsErrors.notFound, { params: { account: accountId } });
      return await this.#listed(tx, accountId, `/api/oauth2/accounts/${accountId}`);
    });
  }

  /** `viewer` is the account that requests the picture. */
  async avatar(accountId: number, name: string, viewer: number): Promise<FileAnswer> {
    const row = await this.#deps.db.read("oauth.avatar", async (tx) => await repo.findOfAccount(tx, accountId, name));
    return fileOf(await this.#avatarOf(row, `account ${viewer}`));
  }

  async disconnect(actor: Actor, accountId: number, name: string): Promise<void> {
    const { audit, db } = this.#deps;
    await db.write("oauth.disconnect", async (tx) => {
      const row = await repo.findOfAccount(tx, accountId, name);
      if (row === null) throw new AppError(oauthErrors.notConnected, { params: { provider: name } });
      await repo.remove(tx, row.id);
      await audit.record(tx, actor, {
        action: "oauth.disconnect",
        object: { kind: "account", id: accountId },
        before: { provider: name, person: row.external_id, username: row.username },
      });
    });
  }

  /** For the doctor: connections whose tokens the present `secret` does not open. */
  async unreadableTokens(): Promise<readonly Finding[]> {
    const { db, providers, vault } = this.#deps;
    if (providers.all().length > 0 && !vault.available) return [{ id: "oauth.tokensNotStored", state: "warning", params: {} }];
    let count = 0;
    for (let after = 0; ;) {
      const rows = await db.read("oauth.check", async (tx) => await repo.withTokens(tx, after, checkedPerStatement));
      count += rows.filter((row) => !this.#readable(row)).length;
      if (rows.length < checkedPerStatement) break;
      after = rows.at(-1)?.id ?? after;
    }
    return count === 0 ? [] : [{ id: "oauth.tokensUnreadable", state: "warning", params: { count } }];
  }

  async #listed(tx: Tx, accountId: number, folder: string): Promise<{ connections: Connection[] }> {
    const rows = await repo.listOfAccount(tx, accountId);
    return { connections: rows.map((row) => this.#connectionOf(row, folder)) };
  }

  #connectionOf(row: repo.StoredConnection, folder: string): Connection {
    const options = this.#deps.providers.options(row.provider);
    const picture = row.avatar_url ?? options?.defaultAvatar ?? null;
    return {
      provider: row.provider,
      label: options?.label ?? row.provider,
      configured: options !== null,
      username: row.username,
      avatar: picture === null ? null : `${folder}/connections/${row.provider}/avatar?v=${row.updated_at}`,
      connectedAt: row.created_at,
      updatedAt: row.updated_at,
      tokens: this.#tokenState(row),
    };
  }

  #tokenState(row: repo.StoredConnection): Connection["tokens"] {
    if (!this.#deps.vault.available) return "noSecret";
    if (row.access_token === null && row.refresh_token === null) return "none";
    return this.#readable(row) ? "stored" : "reconnect";
  }

  #readable(row: repo.StoredConnection): boolean {
    const { access_token: access, refresh_token: refresh } = row;
    return [
      { sealed: access, purpose: tokenPurpose.access },
      { sealed: refresh, purpose: tokenPurpose.refresh },
    ].every(({ sealed, purpose }) => sealed === null || this.#deps.vault.open(sealed, purpose).state === "open");
  }

  async #avatarOf(row: repo.StoredConnection | null, requester: string): Promise<Picture | null> {
    if (row === null) return null;
    const { images, providers } = this.#deps;
    const options = providers.options(row.provider);
    const own = webAddress(row.avatar_url);
    const query = { size: avatarSize, requester } as const;
    // An address in a person's claims never counts as configured by the operator. The address of a chat
    // avatar does: Rollcall makes it, below the configured address of that platform.
    const isMade = own !== null && options?.type === "chat" && isChatAvatar(providers.chatPictures, own);
    const namedBy: NamedBy = isMade ? "configuration" : "provider";
    const picture = own === null ? null : await images.picture({ ...query, url: own, namedBy, drawings: false });
    if (picture !== null || options?.defaultAvatar == null) return picture;
    return await images.picture({ ...query, url: options.defaultAvatar, namedBy: "configuration", drawings: true });
  }

  /** The icon of a set that `icon` names; null for an address. */
  async #iconName(icon: string | null): Promise<string | null> {
    return icon === null || webAddress(icon) !== null ? null : await this.#deps.icons.named(icon);
  }
}
