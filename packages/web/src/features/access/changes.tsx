import { useText } from "#core/i18n.ts";
import { permissionName } from "#core/messages.ts";
import type { RoleGrant } from "@rollcall/server/contract/access";
import { choiceOf, type GrantChange } from "./grants.ts";
import { useGrantText } from "./naming.tsx";
import classes from "./access.module.css";
import own from "./history.module.css";

/** What changes from one role to another, by permission; `choiceTexts` is the text key above those of the choices. */
export function Changes({ changes, choiceTexts = "access.said" }: { changes: readonly GrantChange[]; choiceTexts?: string }) {
  const { t } = useText();
  if (changes.length === 0) return <p className={classes["quiet"]}>{t("access.noDifference")}</p>;
  return (
    <ul className={own["changes"]}>
      {changes.map(({ permission, before, after }) => (
        <li key={permission}>
          <span>{permissionName(t, permission)}</span>
          <span>
            <del>
              <Choice permission={permission} grant={before} texts={choiceTexts} />
            </del>{" "}
            <span aria-hidden>→</span> <Choice permission={permission} grant={after} texts={choiceTexts} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Choice({ permission, grant, texts }: { permission: string; grant: RoleGrant | null; texts: string }) {
  const textOf = useGrantText(texts);
  return <span data-said={choiceOf(grant ?? undefined)}>{textOf(permission, grant)}</span>;
}
