import { useAbilities } from "#core/abilities.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { permissionName } from "#core/messages.ts";
import { RightHint } from "./states.tsx";

interface Hidden {
  readonly language: string;
  /** The permission, as people call it. */
  readonly right: string;
  /** Whether the viewer has it, so that only the fields are missing. */
  readonly holds: boolean;
  /** The names of the fields. */
  readonly fields: readonly string[];
}

/** Why these fields are not shown. */
export function hiddenText(t: Translate, { language, right, holds, fields }: Hidden): string {
  const names = new Intl.ListFormat(language, { type: "conjunction" }).format(fields);
  return t(holds ? "web.hidden.lacks" : "web.hidden.needs", { count: fields.length, right, fields: names });
}

/** Fields of a record that are hidden because of a right. `fields` are their names. */
export function FieldHint({ permission, fields }: { readonly permission: string; readonly fields: readonly string[] }) {
  const { t, language } = useText();
  const holds = useAbilities().has(permission);
  const text = hiddenText(t, { language, right: permissionName(t, permission), holds, fields });
  return <RightHint permission={permission} text={text} />;
}
