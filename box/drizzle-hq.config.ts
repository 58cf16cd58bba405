import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/hq/schema.ts', './src/hq/readable.ts'],
  out: './migrations-hq',
  schemaFilter: ['gatehouse'],
})
