import { useId, type KeyboardEvent } from "react";
import { Button, Modal } from "@mantine/core";
import type { Difference, Side } from "#core/forms/merge.ts";
import { useText, type Translate } from "#core/i18n.ts";
import { apart, useFormAround, useFormState } from "./formContext.ts";
import classes from "./form.module.css";

const sides: readonly Side[] = ["mine", "theirs"];

/** One's own version beside the one that somebody else saved, with a choice for each field. */
export function FormConflict() {
  const { t } = useText();
  const { model, fields } = useFormAround();
  const { conflict } = useFormState();
  if (!conflict) return null;
  const { found, chosen } = conflict;
  const open = found.some(({ field }) => chosen[field] === undefined);
  const close = () => model.closeConflict();
  const escape = ({ key }: KeyboardEvent) => key === "Escape" && close();
  return (
    <Modal
      opened
      size="xl"
      onClose={close}
      closeOnEscape={false}
      onKeyDown={escape}
      title={t("web.form.conflict.title")}
      closeButtonProps={{ "aria-label": t("web.close"), ...apart }}
    >
      <p>{t("web.form.conflict.text")}</p>
      <div className={classes["fields"]}>
        {found.map((one) => (
          <Pair
            key={one.field}
            difference={one}
            label={fields[one.field]?.label ?? one.field}
            chosen={chosen[one.field]}
            show={(value) => fields[one.field]?.show?.(value) ?? written(t, value)}
            onChoose={(side) => model.choose(one.field, side)}
          />
        ))}
      </div>
      <div className={classes["buttons"]}>
        {open && (
          <span className={classes["what"]} role="status">
            {t("web.form.conflict.missing")}
          </span>
        )}
        <Button variant="default" onClick={close} {...apart}>
          {t("web.cancel")}
        </Button>
        <Button disabled={open} onClick={() => void model.settle()} {...apart}>
          {t(conflict.saves ? "web.form.conflict.save" : "web.form.conflict.take")}
        </Button>
      </div>
    </Modal>
  );
}

interface PairProps {
  readonly difference: Difference;
  readonly label: string;
  readonly chosen: Side | undefined;
  show(value: unknown): string;
  onChoose(side: Side): void;
}

function Pair({ difference, label, chosen, show, onChoose }: PairProps) {
  const { t } = useText();
  const name = useId();
  return (
    <fieldset className={classes["pair"]}>
      <legend>{label}</legend>
      <div className={classes["sides"]}>
        {sides.map((side) => (
          <label key={side} className={classes["side"]} data-chosen={chosen === side}>
            <input type="radio" name={name} checked={chosen === side} onChange={() => onChoose(side)} {...apart} />
            <span>
              <small>{t(`web.form.conflict.${side}`)}</small>
              {show(difference[side]) || t("web.form.conflict.empty")}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function written(t: Translate, value: unknown): string {
  if (typeof value === "boolean") return t(value ? "web.form.conflict.on" : "web.form.conflict.off");
  if (Array.isArray(value)) return value.map((one) => written(t, one)).join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
