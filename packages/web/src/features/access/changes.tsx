import { useText } from "#core/i18n.ts";
import { permissionName } from "#core/words.ts";
import type { RoleGrant } from "@rollcall/server/contract/access";
import { attributeName, saidOf, valueWords, type GrantChange } from "./grants.ts";
import classes from "./access.module.css";
import own from "./history.module.css";

/** What changes from one role to another, permission by permission; `said` leads to the words for what is said. */
export function Changes({ changes, said = "access.said" }: { changes: readonly GrantChange[]; said?: string }) {
  const { t } = useText();
  if (changes.length === 0) return <p className={classes["quiet"]}>{t("access.noDifference")}</p>;
  return (
    <ul className={own["changes"]}>
      {changes.map(({ permission, before, after }) => (
        <li key={permission}>
          <span>{permissionName(t, permission)}</span>
          <span>
            <del>
              <Said permission={permission} grant={before} words={said} />
            </del>{" "}
            <span aria-hidden>→</span> <Said permission={permission} grant={after} words={said} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Said({ permission, grant, words }: { permission: string; grant: RoleGrant | null; words: string }) {
  const { t } = useText();
  const [feature = ""] = permission.split(".", 1);
  const said = saidOf(grant ?? undefined);
  const details = Object.entries(grant?.attributes ?? {}).map(
    ([name, value]) => `${attributeName(t, name)}: ${valueWords(t, feature, value)}`,
  );
  return (
    <span data-said={said}>
      {t(`${words}.${said}`)}
      {details.length > 0 && ` (${details.join("; ")})`}
    </span>
  );
}
