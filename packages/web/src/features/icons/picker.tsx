import { lazy, Suspense, useId, useState } from "react";
import { Button, Input } from "@mantine/core";
import { useText, withTexts } from "#core/i18n.ts";
import NamedIcon from "#ui/namedIcon.tsx";
import classes from "./icons.module.css";

const IconDialog = lazy(withTexts(["icons"], () => import("./dialog.tsx")));

export interface IconPickerProps {
  readonly label: string;
  readonly description?: string;
  readonly disabled?: boolean;
  /** `<set>:<icon>`; null for none. */
  readonly value: string | null;
  onChange(value: string | null): void;
}

/** A field for an icon: the selected one, and buttons to change or remove it. */
export default function IconPicker({ label, description, disabled = false, value, onChange }: IconPickerProps) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const id = useId();
  const choose = (chosen: string) => {
    setOpen(false);
    onChange(chosen);
  };
  return (
    <Input.Wrapper label={label} description={description} labelElement="div" labelProps={{ id }}>
      <div className={classes["field"]} role="group" aria-labelledby={id}>
        <span className={classes["chosen"]}>
          {value !== null && <NamedIcon name={value} size={22} />}
          <span>{value ?? t("icons.panel.none")}</span>
        </span>
        <Button variant="default" size="compact-md" disabled={disabled} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t("icons.panel.choose")}
        </Button>
        {value !== null && (
          <Button variant="default" size="compact-md" disabled={disabled} onClick={() => onChange(null)}>
            {t("icons.panel.clear")}
          </Button>
        )}
      </div>
      {open && (
        <Suspense fallback={null}>
          <IconDialog value={value} onChoose={choose} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Input.Wrapper>
  );
}
