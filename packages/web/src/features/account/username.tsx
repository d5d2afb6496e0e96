import { useState, type FormEvent } from "react";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { changeUsername } from "@rollcall/server/contract/auth";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { ProblemNote } from "#ui/states.tsx";
import { CurrentPassword } from "./fields.tsx";
import classes from "./account.module.css";

export function UsernameForm({ username: before, onDone }: { username: string; onDone: () => void }) {
  const { t } = useText();
  const [username, setUsername] = useState(before);
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => api.call(changeUsername, { body: { username: username.trim(), password } }),
    onSuccess: () => {
      setPassword("");
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      {change.isError && <ProblemNote error={change.error} />}
      <TextInput
        label={t("account.rename.name")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={24}
        required
        withAsterisk={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <CurrentPassword value={password} onChange={setPassword} />
      <div className={classes["acts"]}>
        <Button type="submit" loading={change.isPending} disabled={username.trim() === before || password === ""}>
          {t("account.rename.submit")}
        </Button>
        <span role="status">{change.isSuccess ? t("account.rename.done") : ""}</span>
      </div>
    </form>
  );
}
