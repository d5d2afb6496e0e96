import type { ReactNode } from "react";
import { TextInput } from "@mantine/core";
import { dayHint, looksComplete, parseDay, writeDay } from "#core/day.ts";
import { useText } from "#core/i18n.ts";
import { localeOf } from "#core/time.ts";
import { useTypedText } from "./list.tsx";

interface Props {
  readonly label: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly value: string;
  readonly error?: ReactNode;
  readonly required?: boolean;
  onChange(day: string): void;
}

/** A day applies once it is complete; an empty field removes it. A text field, as the game's browser has no picker. */
export function DayInput({ label, value, error, required = false, onChange }: Props) {
  const { t, language } = useText();
  const locale = localeOf(language);
  const [text, setText] = useTypedText(value === "" ? "" : writeDay(value, locale), (typed) => {
    const day = parseDay(typed, locale);
    if (typed.trim() === "" || day !== null) onChange(day ?? "");
  });
  const wrong = looksComplete(text) && parseDay(text, locale) === null;
  return (
    <TextInput
      label={label}
      placeholder={dayHint(t("web.filter.dayLetters"), locale)}
      error={wrong ? t("web.filter.noSuchDay") : (error ?? null)}
      required={required}
      withAsterisk={false}
      maxLength={10}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
