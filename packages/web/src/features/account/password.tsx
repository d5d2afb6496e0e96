import { useState, type FormEvent } from "react";
import { Button, PasswordInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { changePassword, ownAccount } from "@rollcall/server/contract/auth";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { ProblemNote } from "#ui/states.tsx";
import { CurrentPassword } from "./fields.tsx";
import classes from "./account.module.css";

export function PasswordSection() {
  const { t } = useText();
  const own = useQuery(queryOf(ownAccount, {}));
  const [password, setPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const minimum = own.data?.passwordMinimum ?? 0;
  const change = useMutation({
    mutationFn: () => api.call(changePassword, { body: { password, newPassword } }),
    onSuccess: () => {
      setPassword("");
      setNewPassword("");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <h2>{t("account.sections.password")}</h2>
      <p>{t("account.password.text")}</p>
      {change.isError && <ProblemNote error={change.error} />}
      <CurrentPassword value={password} onChange={setPassword} />
      <PasswordInput
        label={t("auth.register.password")}
        description={minimum === 0 ? undefined : t("auth.register.passwordText", { minimum })}
        name="new"
        autoComplete="new-password"
        maxLength={256}
        required
        withAsterisk={false}
        value={newPassword}
        onChange={(event) => setNewPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ "aria-label": t("auth.login.showPassword"), tabIndex: 0 }}
      />
      <div className={classes["acts"]}>
        <Button type="submit" loading={change.isPending} disabled={password === "" || newPassword.length < minimum}>
          {t("account.password.submit")}
        </Button>
        <span role="status">{change.isSuccess ? t("account.password.done") : ""}</span>
      </div>
    </form>
  );
}
