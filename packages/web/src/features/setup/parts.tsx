import { useEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { copyToClipboard } from "#ui/copy.tsx";
import classes from "./setup.module.css";

/** Takes the focus, so that screen readers read a new step from its beginning. */
export function StepTitle({ children }: { children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <h2 ref={title} tabIndex={-1}>
      {children}
    </h2>
  );
}

/** Lines for a file or a terminal. */
export function CopyBlock({ text, label }: { text: string; label: string }) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyToClipboard(text))) return;
    setCopied(true);
    systemClock.after(1_500, () => setCopied(false));
  };
  return (
    <div className={classes["block"]}>
      <pre>{text}</pre>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t("web.copy", { what: label })}
        leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        onClick={() => void copy()}
      >
        <span aria-live="polite">{copied ? t("web.copied") : t("setup.copy")}</span>
      </Button>
    </div>
  );
}
