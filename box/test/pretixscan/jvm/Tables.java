// Generates the Kotlin of libpretixsync's local database from its SQL, as SQLDelight's plugin for Gradle does: `java Tables.java SQL OUT`.
import app.cash.sqldelight.core.SqlDelightCompilationUnit;
import app.cash.sqldelight.core.SqlDelightDatabaseName;
import app.cash.sqldelight.core.SqlDelightDatabaseProperties;
import app.cash.sqldelight.core.SqlDelightEnvironment;
import app.cash.sqldelight.core.SqlDelightEnvironment.CompilationStatus;
import app.cash.sqldelight.core.SqlDelightSourceFolder;
import app.cash.sqldelight.dialects.sqlite_3_18.SqliteDialect;
import java.io.File;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class Tables {
    public static void main(String[] arguments) {
        File sql = new File(arguments[0]);
        List<File> files = Stream.of("sqlite", "common").map(name -> new File(sql, name)).collect(Collectors.toList());
        SqlDelightCompilationUnit unit = new Unit(files.stream().map(Folder::new).collect(Collectors.toList()), new File(arguments[1]));
        SqlDelightEnvironment compiler = new SqlDelightEnvironment(
                new Database(sql, unit), unit, false, new SqliteDialect(), "libpretixsync", files, List.of());
        CompilationStatus status = compiler.generateSqlDelightFiles(line -> kotlin.Unit.INSTANCE);
        if (status instanceof CompilationStatus.Failure) ((CompilationStatus.Failure) status).getErrors().forEach(System.err::println);
        // It leaves threads behind.
        System.exit(status instanceof CompilationStatus.Failure ? 1 : 0);
    }

    record Folder(File folder) implements SqlDelightSourceFolder {
        public File getFolder() { return folder; }
        public boolean getDependency() { return false; }
    }

    record Unit(List<? extends SqlDelightSourceFolder> folders, File out) implements SqlDelightCompilationUnit {
        public String getName() { return "main"; }
        public List<SqlDelightSourceFolder> getSourceFolders() { return List.copyOf(folders); }
        public File getOutputDirectoryFile() { return out; }
    }

    record Database(File root, SqlDelightCompilationUnit unit) implements SqlDelightDatabaseProperties {
        public String getPackageName() { return "eu.pretix.libpretixsync.sqldelight"; }
        public String getClassName() { return "SyncDatabase"; }
        public List<SqlDelightCompilationUnit> getCompilationUnits() { return List.of(unit); }
        public List<SqlDelightDatabaseName> getDependencies() { return List.of(); }
        public boolean getDeriveSchemaFromMigrations() { return false; }
        public boolean getTreatNullAsUnknownForEquality() { return false; }
        public boolean getGenerateAsync() { return false; }
        public File getRootDirectory() { return root; }
    }
}
