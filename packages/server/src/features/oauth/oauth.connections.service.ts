import type { Actor } from "#core/actor.ts";
import type { FileAnswer } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Finding } from "#core/feature.ts";
import type { Database, Tx, Vault } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { IconsApi } from "#features/icons/icons.api.ts";
import type { ImageProxyApi, NamedBy, Picture } from "#features/imageproxy/imageproxy.api.ts";
import { type Connection, oauthErrors, type Provider } from "./oauth.contract.ts";
import { webAddress } from "./oauth.policy.ts";
import type { Providers } from "./oauth.providers.service.ts";
import * as repo from "./oauth.repo.ts";
import { tokenPurpose } from "./oauth.tokens.policy.ts";

export interface ConnectionsDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly providers: Providers;
  readonly images: ImageProxyApi;
  readonly icons: IconsApi;
}

const shownSeconds = 300;
/** Pixels, of icons on buttons and of avatars. */
const iconSize = 128;
const avatarSize = 256;
const checkedAtOnce = 500;

/** What people and config admins see and do with connections, and the pictures beside them. */
export function createConnections(deps: ConnectionsDeps) {
  function tokenState(row: repo.StoredConnection): Connection["tokens"] {
    if (!deps.vault.available) return "noSecret";
    if (row.access_token === null && row.refresh_token === null) return "none";
    return readable(row) ? "stored" : "reconnect";
  }

  function readable(row: repo.StoredConnection): boolean {
    const { access_token: access, refresh_token: refresh } = row;
    return [
      { sealed: access, purpose: tokenPurpose.access },
      { sealed: refresh, purpose: tokenPurpose.refresh },
    ].every(({ sealed, purpose }) => sealed === null || deps.vault.open(sealed, purpose).state === "open");
  }

  function shown(row: repo.StoredConnection, folder: string): Connection {
    const options = deps.providers.options(row.provider);
    const pictured = row.avatar_url ?? options?.defaultAvatar ?? null;
    return {
      provider: row.provider,
      label: options?.label ?? row.provider,
      configured: options !== null,
      username: row.username,
      avatar: pictured === null ? null : `${folder}/connections/${row.provider}/avatar?v=${row.updated_at}`,
      connectedAt: row.created_at,
      updatedAt: row.updated_at,
      tokens: tokenState(row),
    };
  }

  async function listed(tx: Tx, accountId: number, folder: string): Promise<{ connections: Connection[] }> {
    const rows = await repo.listOfAccount(tx, accountId);
    return { connections: rows.map((row) => shown(row, folder)) };
  }

  function file(picture: Picture | null): FileAnswer {
    if (picture === null) throw new AppError(oauthErrors.imageNotFound);
    return { type: picture.type, body: picture.bytes, etag: picture.etag, cacheSeconds: shownSeconds };
  }

  async function avatarOf(row: repo.StoredConnection | null): Promise<Picture | null> {
    if (row === null) return null;
    const options = deps.providers.options(row.provider);
    const own = webAddress(row.avatar_url);
    // A provider's own host may be private; a picture that it keeps elsewhere may not.
    const named: NamedBy =
      own !== null && options !== null && deps.providers.originOf(options, own) === "endpoint" ? "configuration" : "provider";
    const picture = own === null ? null : await deps.images.picture({ url: own, size: avatarSize, namedBy: named });
    if (picture !== null || options?.defaultAvatar == null) return picture;
    return await deps.images.picture({ url: options.defaultAvatar, size: avatarSize, namedBy: "configuration" });
  }

  /** The icon of a set that `icon` names; null for an address. */
  async function iconName(icon: string | null): Promise<string | null> {
    return icon === null || webAddress(icon) !== null ? null : await deps.icons.named(icon);
  }

  return {
    async providers(): Promise<{ providers: Provider[] }> {
      const providers: Provider[] = [];
      for (const { name, label, homepage, icon } of deps.providers.all())
        providers.push({
          name,
          label: label ?? name,
          homepage,
          icon: webAddress(icon) === null ? null : `/api/oauth2/providers/${name}/icon`,
          iconName: await iconName(icon),
        });
      return { providers };
    },

    /** For the doctor: providers whose `icon` is neither an address nor an icon that there is. */
    async unknownIcons(): Promise<readonly Finding[]> {
      const { providers } = await this.providers();
      return deps.providers.all().flatMap(({ icon }, index): Finding[] => {
        const shown = providers[index];
        if (icon === null || shown === undefined || shown.icon !== null || shown.iconName !== null) return [];
        return [{ id: "oauth.iconUnknown", state: "warning", params: { provider: shown.name, icon } }];
      });
    },

    async icon(name: string): Promise<FileAnswer> {
      const url = webAddress(deps.providers.options(name)?.icon ?? null);
      return file(url === null ? null : await deps.images.picture({ url, size: iconSize, namedBy: "configuration" }));
    },

    list: async (accountId: number) =>
      await deps.db.read("oauth.connections", async (tx) => await listed(tx, accountId, "/api/oauth2")),

    listOf: async (accountId: number) =>
      await deps.db.read("oauth.connectionsOf", async (tx) => {
        if ((await deps.accounts.byId(tx, accountId)) === null)
          throw new AppError(accountsErrors.notFound, { params: { account: accountId } });
        return await listed(tx, accountId, `/api/oauth2/accounts/${accountId}`);
      }),

    async avatar(accountId: number, name: string): Promise<FileAnswer> {
      const row = await deps.db.read("oauth.avatar", async (tx) => await repo.findOfAccount(tx, accountId, name));
      return file(await avatarOf(row));
    },

    async disconnect(actor: Actor, accountId: number, name: string): Promise<void> {
      await deps.db.write("oauth.disconnect", async (tx) => {
        const row = await repo.findOfAccount(tx, accountId, name);
        if (row === null) throw new AppError(oauthErrors.notConnected, { params: { provider: name } });
        await repo.remove(tx, row.id);
        await deps.audit.record(tx, actor, {
          action: "oauth.disconnect",
          object: { kind: "account", id: accountId },
          before: { provider: name, person: row.external_id, username: row.username },
        });
      });
    },

    /** For the doctor: connections whose tokens the present `secret` does not open. */
    async unreadableTokens(): Promise<readonly Finding[]> {
      if (deps.providers.all().length > 0 && !deps.vault.available)
        return [{ id: "oauth.tokensNotStored", state: "warning", params: {} }];
      let count = 0;
      for (let after = 0; ;) {
        const rows = await deps.db.read("oauth.check", async (tx) => await repo.withTokens(tx, after, checkedAtOnce));
        count += rows.filter((row) => !readable(row)).length;
        if (rows.length < checkedAtOnce) break;
        after = rows.at(-1)?.id ?? after;
      }
      return count === 0 ? [] : [{ id: "oauth.tokensUnreadable", state: "warning", params: { count } }];
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;
