import { useId } from "react";
import { IconArrowBarDown, IconCheck, IconX } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import type { GrantChoice } from "./grants.ts";
import classes from "./toggle.module.css";

const CHOICES = [
  { choice: "allow", icon: IconCheck },
  { choice: "deny", icon: IconX },
  { choice: "inherit", icon: IconArrowBarDown },
] as const;

/** Allow, deny, or the same as the grade below: plain radio buttons, so that arrow keys move between them. */
export function Toggle(props: {
  label: string;
  choice: GrantChoice;
  /** What it is while it is not set here. */
  sameAs: string;
  readOnly: boolean;
  onChange: (choice: GrantChoice) => void;
}) {
  const { t } = useText();
  const name = useId();
  return (
    <fieldset className={classes["toggle"]} disabled={props.readOnly}>
      <legend className="rc-hidden">{props.label}</legend>
      {CHOICES.map(({ choice, icon: Icon }) => (
        <label key={choice} data-said={choice} data-on={props.choice === choice}>
          <input
            type="radio"
            name={name}
            className="rc-hidden"
            checked={props.choice === choice}
            onChange={() => props.onChange(choice)}
          />
          <Icon size={14} aria-hidden />
          <span>{choice === "inherit" ? props.sameAs : t(`access.said.${choice}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
