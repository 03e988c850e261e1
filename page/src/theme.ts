import { useEffect, useState } from "preact/hooks";

/** Dark or light as the system has it, until the user chooses. */
export function useTheme(): { readonly isDark: boolean; readonly toggle: () => void } {
  const [isDark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  }, [isDark]);
  return { isDark, toggle: () => setDark(!isDark) };
}
