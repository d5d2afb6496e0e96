import { PasswordField, TextField } from "#ui/formFields.tsx";
import { useText } from "#core/i18n.ts";

/** The current password, which confirms the viewer's identity. */
export function CurrentPassword({ autoFocus = false }: { autoFocus?: boolean }) {
  return <PasswordField at="password" name="current" autoComplete="current-password" autoFocus={autoFocus} />;
}

/** A code of the second factor. */
export function CodeInput() {
  const { t } = useText();
  const about = { description: t("auth.factor.codeText"), autoComplete: "one-time-code", spellCheck: false } as const;
  return <TextField at="code" name="code" inputMode="text" {...about} />;
}
