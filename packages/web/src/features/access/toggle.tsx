import { useId } from "react";
import { IconArrowBarDown, IconCheck, IconX } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import type { Said } from "./grants.ts";
import classes from "./toggle.module.css";

const CHOICES = [
  { said: "allow", icon: IconCheck },
  { said: "deny", icon: IconX },
  { said: "inherit", icon: IconArrowBarDown },
] as const;

/** Allow, deny or inherit: plain radio buttons, so that arrow keys move between them. */
export function Toggle(props: { label: string; said: Said; readOnly: boolean; onChange: (said: Said) => void }) {
  const { t } = useText();
  const name = useId();
  return (
    <fieldset className={classes["toggle"]} disabled={props.readOnly}>
      <legend className="rc-hidden">{props.label}</legend>
      {CHOICES.map(({ said, icon: Icon }) => (
        <label key={said} data-said={said} data-on={props.said === said} title={t(`access.said.${said}`)}>
          <input
            type="radio"
            name={name}
            className="rc-hidden"
            checked={props.said === said}
            onChange={() => props.onChange(said)}
          />
          <Icon size={14} aria-hidden />
          <span>{t(`access.said.${said}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
