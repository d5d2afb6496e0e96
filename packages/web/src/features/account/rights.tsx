import { useActiveIdentity } from "#core/abilities.ts";
import { useText, type Translate } from "#core/i18n.ts";
import { permissionName, textOf } from "#core/messages.ts";
import classes from "./account.module.css";

/** What the character may do, by its role or in a mode. */
export function RightsSection() {
  const { t } = useText();
  const { character, jobAdmin, rights } = useActiveIdentity();
  const held = Object.entries(rights).map(([id, { fields }]) => ({
    id,
    name: permissionName(t, id),
    fields: Array.isArray(fields) ? fields.map((field) => fieldName(t, id, String(field))) : [],
  }));
  return (
    <>
      <h2>{t("account.sections.rights")}</h2>
      {held.length === 0 && <p>{t("account.rights.none")}</p>}
      <ul className={classes["rights"]}>
        {held.map(({ id, name, fields }) => (
          <li key={id}>
            {name}
            {fields.length > 0 && <span> {t("account.rights.fields", { fields: fields.join(", ") })}</span>}
          </li>
        ))}
      </ul>
      <p>{jobAdmin ? t("account.rights.admin") : t("account.rights.who", { job: character.job.label })}</p>
    </>
  );
}

function fieldName(t: Translate, permission: string, field: string): string {
  return textOf(t, `${permission.split(".", 1)[0]}.fields.${field}`) ?? field;
}
