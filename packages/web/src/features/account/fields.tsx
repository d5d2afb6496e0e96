import { PasswordInput } from "@mantine/core";
import { useText } from "#core/i18n.ts";

/** The current password, which confirms the viewer's identity. */
export function CurrentPassword(props: { value: string; onChange: (value: string) => void; autoFocus?: boolean }) {
  const { t } = useText();
  return (
    <PasswordInput
      label={t("account.currentPassword")}
      name="current"
      autoComplete="current-password"
      maxLength={256}
      required
      withAsterisk={false}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": t("auth.login.showPassword"), tabIndex: 0 }}
      autoFocus={props.autoFocus ?? false}
    />
  );
}
