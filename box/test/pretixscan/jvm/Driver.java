// Drives the library of the pretixSCAN apps as an app does: one command a line on standard input, one JSON object a line back. It is run
// from its source, with the library on the class path: see app-library.test.ts.
import app.cash.sqldelight.driver.jdbc.sqlite.JdbcSqliteDriver;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import eu.pretix.libpretixsync.DummySentryImplementation;
import eu.pretix.libpretixsync.api.DefaultHttpClientFactory;
import eu.pretix.libpretixsync.api.PretixApi;
import eu.pretix.libpretixsync.check.AsyncCheckProvider;
import eu.pretix.libpretixsync.check.OnlineCheckProvider;
import eu.pretix.libpretixsync.check.ProxyCheckProvider;
import eu.pretix.libpretixsync.check.TicketCheckProvider;
import eu.pretix.libpretixsync.check.TicketCheckProvider.CheckInType;
import eu.pretix.libpretixsync.check.TicketCheckProvider.CheckResult;
import eu.pretix.libpretixsync.config.ConfigStore;
import eu.pretix.libpretixsync.db.Answer;
import eu.pretix.libpretixsync.setup.EventManager;
import eu.pretix.libpretixsync.setup.SetupManager;
import eu.pretix.libpretixsync.setup.SetupResult;
import eu.pretix.libpretixsync.sqldelight.BigDecimalAdapter;
import eu.pretix.libpretixsync.sqldelight.CheckIn;
import eu.pretix.libpretixsync.sqldelight.Closing;
import eu.pretix.libpretixsync.sqldelight.Discount;
import eu.pretix.libpretixsync.sqldelight.Event;
import eu.pretix.libpretixsync.sqldelight.JavaUtilDateAdapter;
import eu.pretix.libpretixsync.sqldelight.QueuedCheckIn;
import eu.pretix.libpretixsync.sqldelight.Receipt;
import eu.pretix.libpretixsync.sqldelight.ReceiptLine;
import eu.pretix.libpretixsync.sqldelight.ReceiptPayment;
import eu.pretix.libpretixsync.sqldelight.ReusableMedium;
import eu.pretix.libpretixsync.sqldelight.SubEvent;
import eu.pretix.libpretixsync.sqldelight.SyncDatabase;
import eu.pretix.libpretixsync.sync.FileStorage;
import eu.pretix.libpretixsync.sync.SyncManager;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.json.JSONArray;
import org.json.JSONObject;

public class Driver {
    // An answer may hold objects of another library, which have no properties.
    static final ObjectMapper JSON = new ObjectMapper().disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
    static final DefaultHttpClientFactory HTTP = new DefaultHttpClientFactory();
    static String url = "";
    static SetupResult setup;
    static CheckResult last;
    static final Map<String, Object> SETTINGS = new HashMap<>();
    static final ConfigStore CONFIG = settings();
    static SyncDatabase database;

    public static void main(String[] arguments) throws Exception {
        // The library prints what went wrong, between the answers.
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String answer;
            try {
                answer = JSON.writeValueAsString(run(new JSONObject(line)));
            } catch (Throwable error) {
                Map<String, Object> failed = new HashMap<>();
                failed.put("thrown", error.getClass().getSimpleName());
                failed.put("message", String.valueOf(error.getMessage()));
                answer = JSON.writeValueAsString(failed);
            }
            answers.println(answer);
            answers.flush();
        }
        // Idle connections would keep it for a minute.
        System.exit(0);
    }

    static Object run(JSONObject command) throws Exception {
        switch (command.getString("do")) {
            case "initialize":
                url = command.getString("url");
                setup = new SetupManager("Zebra", "TC57", "Android", "13", "pretixSCAN Android", "3.3.4", HTTP)
                        .initialize(url, command.getString("token"));
                return setup;
            case "events":
                List<String> slugs = new ArrayList<>();
                new EventManager(api(), CONFIG, false).getAvailableEvents().forEach(event -> slugs.add(event.getSlug()));
                return slugs;
            case "fetch":
                return JSON.readTree(api().fetchResource(api().apiURL(command.getString("path"))).getData().toString());
            case "check":
                return check(new ProxyCheckProvider(CONFIG, HTTP), command);
            case "sync":
                return synchronize(command);
            case "checkOnline":
                return check(new OnlineCheckProvider(CONFIG, HTTP, database(), NO_FILES, null, 30000), command);
            case "checkAlone":
                return check(new AsyncCheckProvider(CONFIG, database()), command);
            case "queue":
                // As the app writes down whom it has let in while it was alone.
                database().getQueuedCheckInQueries().insert("[]", command.getLong("list"), new Date(command.getLong("at")),
                        command.getString("datetime"), command.getString("event"), command.getString("nonce"), command.getString("code"),
                        "barcode", "entry");
                return queues();
            case "queues":
                return queues();
            case "search":
                return new ProxyCheckProvider(CONFIG, HTTP).search(lists(command), command.getString("query"), 1);
            case "status":
                return new ProxyCheckProvider(CONFIG, HTTP).status(command.getString("event"), command.getLong("list"));
            case "redeem":
                List<Long> wanted = Collections.singletonList(command.getLong("list"));
                PretixApi.ApiResponse answer = api().redeem(wanted, command.getString("code"), (String) null, false,
                        command.getString("nonce"), null, false, false, "entry", "barcode", null, true, false, null, null);
                return JSON.readTree(answer.getData().toString());
            default:
                throw new IllegalArgumentException("no such command");
        }
    }

    static Map<String, Long> lists(JSONObject command) throws Exception {
        return new HashMap<>(Collections.singletonMap(command.getString("event"), command.getLong("list")));
    }

    // To the questions of the last check, in their order, as the app's form gives them.
    static List<Answer> answers(JSONObject command) throws Exception {
        List<Answer> given = new ArrayList<>();
        JSONArray values = command.optJSONArray("answers");
        for (int i = 0; values != null && i < values.length(); i++) {
            given.add(new Answer(last.getRequiredAnswers().get(i).getQuestion().toModel(), values.getString(i), null));
        }
        return given;
    }

    static PretixApi api() {
        return new PretixApi(url, setup.getApi_token(), setup.getOrganizer(), 1, HTTP, null);
    }

    static CheckResult check(TicketCheckProvider provider, JSONObject command) throws Exception {
        last = provider.check(lists(command), command.getString("code"), "barcode", answers(command), false, false,
                CheckInType.valueOf(command.optString("type", "ENTRY")), command.optString("nonce", null), true, false, null, null);
        return last;
    }

    // A whole synchronization: what waits goes up, then everything comes down into the database of the app.
    static Object synchronize(JSONObject command) throws Exception {
        SETTINGS.put("SynchronizedEvents", Collections.singletonList(command.getString("event")));
        List<String> steps = new ArrayList<>();
        SyncManager.Profile profile = SyncManager.Profile.valueOf(command.getString("profile"));
        SyncManager.SyncResult done = new SyncManager(CONFIG, api(), new DummySentryImplementation(), database(), NO_FILES, 1, 1, profile, false, 1,
                new JSONObject(), "Zebra", "TC57", "Android", "13", "pretixSCAN Android", "3.3.4", null, null, null)
                .sync(true, steps::add);
        Map<String, Object> said = queues();
        said.put("problem", done.getException() == null ? null : String.valueOf(done.getException().getMessage()));
        said.put("steps", steps);
        said.put("device", CONFIG.getDeviceKnownName());
        List<String> names = new ArrayList<>();
        database().getCheckInListQueries().selectByEventSlug(command.getString("event")).executeAsList()
                .forEach(list -> names.add(list.getName()));
        said.put("lists", names);
        said.put("items", database().getItemQueries().selectByEventSlug(command.getString("event")).executeAsList().size());
        return said;
    }

    static Map<String, Object> queues() {
        Map<String, Object> waiting = new HashMap<>();
        waiting.put("checkins", database().getQueuedCheckInQueries().selectAll().executeAsList().size());
        waiting.put("calls", database().getQueuedCallQueries().selectAll().executeAsList().size());
        return waiting;
    }

    static SyncDatabase database() {
        if (database != null) return database;
        JdbcSqliteDriver driver = new JdbcSqliteDriver("jdbc:sqlite:file:app?mode=memory&cache=shared", new Properties());
        SyncDatabase.Companion.getSchema().create(driver);
        JavaUtilDateAdapter date = new JavaUtilDateAdapter();
        BigDecimalAdapter money = new BigDecimalAdapter();
        database = SyncDatabase.Companion.invoke(driver, new CheckIn.Adapter(date), new Closing.Adapter(money, date, money, money),
                new Discount.Adapter(date, date), new Event.Adapter(date, date), new QueuedCheckIn.Adapter(date),
                new Receipt.Adapter(date, date), new ReceiptLine.Adapter(date, date, money, money, money, money, money, money, money),
                new ReceiptPayment.Adapter(money), new ReusableMedium.Adapter(date), new SubEvent.Adapter(date, date));
        return database;
    }

    static final FileStorage NO_FILES = (FileStorage) Proxy.newProxyInstance(Driver.class.getClassLoader(),
            new Class<?>[] {FileStorage.class}, (proxy, method, arguments) -> {
                if (method.getReturnType() == boolean.class) return false;
                return method.getName().equals("listFiles") ? new String[0] : null;
            });

    // What the app keeps of itself: whatever is set is got again.
    static ConfigStore settings() {
        return (ConfigStore) Proxy.newProxyInstance(Driver.class.getClassLoader(), new Class<?>[] {ConfigStore.class},
                (proxy, method, arguments) -> {
                    String name = method.getName().replaceFirst("^(get|set|is)", "");
                    if (method.getName().startsWith("set")) return SETTINGS.put(name, arguments[0]);
                    switch (name) {
                        case "ApiUrl": return url;
                        case "ApiKey": return setup.getApi_token();
                        case "OrganizerSlug": return setup.getOrganizer();
                        case "ApiVersion": return 1;
                        case "Configured": return true;
                        case "SyncCycleId": return "1";
                        case "AutoSwitchRequested": return false;
                        default:
                    }
                    Object kept = SETTINGS.get(name);
                    if (kept != null) return kept;
                    if (method.getReturnType() == boolean.class) return false;
                    if (method.getReturnType() == int.class) return 0;
                    if (method.getReturnType() == long.class) return 0L;
                    return method.getReturnType() == java.util.Set.class ? new HashSet<>() : null;
                });
    }
}
