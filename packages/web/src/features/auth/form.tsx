import { lazy, Suspense, useState, type FormEvent } from "react";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { session } from "#core/services.ts";
import { go } from "#core/session/path.ts";
import { device } from "#core/storage.ts";
import { ProblemNote } from "#ui/states.tsx";
import classes from "./auth.module.css";

const LAST_USERNAME = "username";
const FactorForm = lazy(async () => ({ default: (await import("./factor.tsx")).FactorForm }));

/**
 * User name and password; the name is remembered, the password never. With `stay`, the second
 * factor is asked for in the same place, so that the page below stays mounted.
 */
export function LoginForm({ username: fixed, stay = false }: { username?: string; stay?: boolean }) {
  const { t } = useText();
  const [username, setUsername] = useState(() => fixed ?? remembered());
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [factor, setFactor] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const state = await session.signIn({ username: username.trim(), password });
      device.write(LAST_USERNAME, username.trim());
      if (state === "signedIn") return;
      setBusy(false);
      if (stay) setFactor(true);
      else go("/login/factor");
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  if (factor) {
    return (
      <Suspense fallback={null}>
        <FactorForm onBack={() => setFactor(false)} />
      </Suspense>
    );
  }
  return (
    <form className={classes["form"]} onSubmit={(event) => void submit(event)}>
      {error !== null && <ProblemNote error={error} />}
      <TextInput
        label={t("auth.login.username")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        required
        withAsterisk={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
        data-autofocus={username === "" || undefined}
        autoFocus={username === ""}
      />
      <PasswordInput
        label={t("auth.login.password")}
        name="password"
        autoComplete="current-password"
        maxLength={256}
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ "aria-label": t("auth.login.showPassword"), tabIndex: 0 }}
        data-autofocus={username !== "" || undefined}
        autoFocus={username !== ""}
      />
      <Button type="submit" loading={busy} disabled={username.trim() === "" || password === ""} fullWidth>
        {t("auth.login.submit")}
      </Button>
    </form>
  );
}

function remembered(): string {
  const name = device.read(LAST_USERNAME);
  return typeof name === "string" ? name : "";
}
