// Drives the library of the pretixSCAN apps: one command a line on standard input, one JSON object a line back. It is run from its source,
// with the library on the class path: see app-library.test.ts.
import com.fasterxml.jackson.databind.ObjectMapper;
import eu.pretix.libpretixsync.api.DefaultHttpClientFactory;
import eu.pretix.libpretixsync.api.PretixApi;
import eu.pretix.libpretixsync.check.ProxyCheckProvider;
import eu.pretix.libpretixsync.check.TicketCheckProvider.CheckInType;
import eu.pretix.libpretixsync.check.TicketCheckProvider.CheckResult;
import eu.pretix.libpretixsync.config.ConfigStore;
import eu.pretix.libpretixsync.db.Answer;
import eu.pretix.libpretixsync.setup.EventManager;
import eu.pretix.libpretixsync.setup.SetupManager;
import eu.pretix.libpretixsync.setup.SetupResult;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONObject;

public class Driver {
    static final ObjectMapper JSON = new ObjectMapper();
    static final DefaultHttpClientFactory HTTP = new DefaultHttpClientFactory();
    static String url = "";
    static SetupResult setup;
    static CheckResult last;

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
                new EventManager(api(), config(), false).getAvailableEvents().forEach(event -> slugs.add(event.getSlug()));
                return slugs;
            case "fetch":
                return JSON.readTree(api().fetchResource(api().apiURL(command.getString("path"))).getData().toString());
            case "check":
                last = proxy().check(lists(command), command.getString("code"), "barcode", answers(command), false, false,
                        CheckInType.valueOf(command.optString("type", "ENTRY")), null, true, false, null, null);
                return last;
            case "search":
                return proxy().search(lists(command), command.getString("query"), 1);
            case "status":
                return proxy().status(command.getString("event"), command.getLong("list"));
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

    static ProxyCheckProvider proxy() {
        return new ProxyCheckProvider(config(), HTTP);
    }

    static ConfigStore config() {
        return (ConfigStore) Proxy.newProxyInstance(Driver.class.getClassLoader(), new Class<?>[] {ConfigStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getApiUrl")) return url;
                    if (method.getName().equals("getApiKey")) return setup.getApi_token();
                    if (method.getReturnType() == boolean.class) return false;
                    if (method.getReturnType() == int.class) return 0;
                    if (method.getReturnType() == long.class) return 0L;
                    return method.getReturnType() == java.util.Set.class ? new java.util.HashSet<>() : null;
                });
    }
}
