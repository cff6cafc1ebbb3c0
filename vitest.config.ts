import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/outside/**", "**/node_modules/**", "dist/**"],
    globalSetup: "test/global-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
