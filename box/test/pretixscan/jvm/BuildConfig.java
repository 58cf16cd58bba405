// Constants that the library's own build generates: its local database is SQLite.
package eu.pretix.libpretixsync;

public final class BuildConfig {
    public static final String DB = "sqlite";
    public static final String BOOLEAN_TYPE = "NUMERIC";
    public static final String BOOLEAN_FALSE = "0";
}
