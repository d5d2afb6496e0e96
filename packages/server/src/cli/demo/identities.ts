import type { Actor } from "#core/actor.ts";
import type { Assembly } from "#core/assemble.ts";
import type { Database, Ids } from "#core/ports/index.ts";
import { accessApi } from "#features/access/access.api.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import type { DemoOptions, RoleGrant } from "./load.ts";

export interface DemoIdentities {
  readonly db: Database;
  readonly features: Pick<Assembly, "api" | "registry">;
  readonly actor: Actor;
  readonly ids: Pick<Ids, "secret">;
}

const passwordLength = 16;
/** Lower case without characters that look alike: 0 and o, 1, i and l. */
const easyToRead = /[^2-9a-hjkmnp-z]/g;

/** A password of 16 characters that is easy to type: about 79 random bits. */
export function readablePassword(ids: Pick<Ids, "secret">): string {
  let text = "";
  while (text.length < passwordLength) text += ids.secret(24).replaceAll(easyToRead, "");
  return text.slice(0, passwordLength);
}

/** Creates the logins of the demo city; existing ones are not changed. */
export function createLoginsWith({ db, features, actor, ids }: DemoIdentities): DemoOptions["createLogins"] {
  const accounts = features.api(accountsApi);
  return async (logins) => {
    const made: { username: string; password: string | null }[] = [];
    for (const { username, licence, groups } of logins) {
      const isKept = await db.read("demo.logins", async (tx) => {
        const owner = await accounts.byLicence(tx, licence);
        return owner?.username != null || (await accounts.byUsername(tx, username)) !== null;
      });
      const password = isKept ? null : readablePassword(ids);
      if (password !== null) await accounts.create(actor, { username, licence, groups, password });
      made.push({ username, password });
    }
    return made;
  };
}

/** Adds grants for permissions that no role mentions yet; existing grants are not changed. */
export function grantRolesWith({ db, features, actor }: DemoIdentities): DemoOptions["grantRoles"] {
  const access = features.api(accessApi);
  return async (grants) => {
    await db.write("demo.roles", async (tx) => {
      const mentioned = new Set(
        (await access.roles(tx)).flatMap(({ job, grade, grants: granted }) =>
          [...granted.keys()].map((permission) => `${job}/${grade}/${permission}`),
        ),
      );
      const isNew = (grant: RoleGrant) => !mentioned.has(`${grant.job}/${grant.grade}/${grant.permission}`);
      for (const { job, grade, permission, ...grant } of grants.filter(isNew))
        await access.change(tx, actor, { job, grade, grants: { [permission]: grant } });
    });
  };
}
