import { useState } from "react";
import { UnstyledButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import classes from "./copy.module.css";

/** A short text that a click copies: ids, trace ids, phone numbers. */
export function CopyText(props: { text: string; label: string; showLabel?: boolean }) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);

  const copy = async () => {
    if (!(await copyToClipboard(props.text))) return;
    setCopied(true);
    systemClock.after(1_500, () => setCopied(false));
  };

  return (
    <UnstyledButton
      className={classes["copy"] ?? ""}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
      title={t("web.copyTitle", { what: props.label })}
    >
      <span className="rc-hidden">{t("web.copy", { what: props.showLabel ? "" : props.label })} </span>
      {props.showLabel && <span>{props.label}</span>}
      <span className={classes["text"]}>{props.text}</span>
      {copied ? <IconCheck size={13} className={classes["done"] ?? ""} aria-hidden /> : <IconCopy size={13} aria-hidden />}
      <span className="rc-hidden" aria-live="polite">
        {copied ? t("web.copied") : ""}
      </span>
    </UnstyledButton>
  );
}

/** A frame on another site may be denied the clipboard: a hidden field is the fallback. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "rc-hidden";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
